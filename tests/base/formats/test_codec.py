"""Dataclasses as JSON: a round trip keeps every value, and other JSON is refused."""

import json
from dataclasses import dataclass, fields
from typing import Generic, Literal, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.formats.codec import JsonCodec, Undecodable
from sourcewright.domain.web.hits import EngineResults, ImageHit, NewsHit, WebHit

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Everything:
    """One field of each type that can be encoded."""

    word: str
    number: int
    share: float
    flag: bool
    choice: Literal["a", 1, True]
    pair: tuple[str, int]
    numbers: tuple[int | None, ...]
    nested: tuple[WebHit, ...]
    nothing: None = None


@dataclass(frozen=True)
class Box(Generic[T]):
    """A generic type inside another."""

    inner: tuple[T, ...] | None


@dataclass(frozen=True)
class Boxes(Generic[T]):
    """Passes its type parameter on."""

    boxes: tuple[Box[T], ...]


texts = st.text(st.characters(exclude_categories=()))
pages = st.builds(WebHit, title=texts, url=texts, snippet=texts, published=st.none() | texts)
articles = st.builds(NewsHit, title=texts, url=texts, source=texts, snippet=texts)
pictures = st.builds(ImageHit, title=texts, link=texts, width=st.none() | st.integers())
everything = st.builds(
    Everything,
    word=texts,
    number=st.integers(),
    share=st.floats(allow_nan=False, allow_infinity=False),
    flag=st.booleans(),
    choice=st.sampled_from(["a", 1, True]),
    pair=st.tuples(texts, st.integers()),
    numbers=st.lists(st.none() | st.integers()).map(tuple),
    nested=st.lists(pages).map(tuple),
)
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def same(one, other):
    """Whether two values are equal and of the same types, which `==` does not check."""
    return one == other and repr(one) == repr(other)


@given(st.lists(pages).map(tuple), st.lists(texts).map(tuple))
def test_findings_come_back_as_they_were(hits, ignored):
    codec = JsonCodec(EngineResults[WebHit])
    found = EngineResults(hits=hits, ignored=ignored)

    assert same(codec.decode(codec.encode(found)), found)


@pytest.mark.parametrize(("kind", "hits"), [(NewsHit, articles), (ImageHit, pictures)])
@given(st.data())
def test_hits_of_every_kind_come_back(kind, hits, data):
    codec = JsonCodec(EngineResults[kind])
    found = EngineResults(hits=tuple(data.draw(st.lists(hits, max_size=3))))

    assert same(codec.decode(codec.encode(found)), found)


def test_two_halves_of_a_character_do_not_come_back_as_one():
    codec = JsonCodec(Box[str])
    halves = Box(("\ud83d\udddd",))

    assert codec.decode(codec.encode(halves)) == halves


@given(everything)
def test_every_kind_of_field_comes_back(value):
    codec = JsonCodec(Everything)

    assert same(codec.decode(codec.encode(value)), value)


def test_a_generic_type_hands_its_parameter_on():
    codec = JsonCodec(Boxes[int])
    value = Boxes((Box((1, 2)), Box(None)))

    assert codec.decode(codec.encode(value)) == value
    with pytest.raises(Undecodable):
        codec.decode(JsonCodec(Boxes[str]).encode(Boxes((Box(("1",)),))))


@given(junk)
def test_no_other_json_is_taken_for_findings(raw):
    with pytest.raises(Undecodable):
        JsonCodec(EngineResults[WebHit]).decode(json.dumps(raw).encode())


@given(st.binary())
def test_junk_is_never_decoded(raw):
    with pytest.raises(Undecodable):
        JsonCodec(EngineResults[WebHit]).decode(raw)


@pytest.mark.parametrize("depth", [10, 100_000])
def test_a_deep_nest_is_undecodable_and_no_crash(depth):
    with pytest.raises(Undecodable):
        JsonCodec(EngineResults[WebHit]).decode(b'{"hits":' + b"[" * depth + b"]" * depth + b"}")


@given(pages, st.data())
def test_a_field_of_another_type_or_missing_or_unknown_is_undecodable(hit, data):
    codec = JsonCodec(WebHit)
    raw = json.loads(codec.encode(hit).decode("utf-8", "surrogatepass"))
    name = data.draw(st.sampled_from([one.name for one in fields(hit)]))
    less = {key: value for key, value in raw.items() if key != name}

    for wrong in ({**raw, name: 1}, {**raw, name: [raw[name]]}, less, {**raw, "more": None}):
        with pytest.raises(Undecodable):
            codec.decode(json.dumps(wrong).encode())


@pytest.mark.parametrize("wrong", ["true", "1.0", '"1"', "null"])
def test_a_number_is_nothing_but_a_number(wrong):
    codec = JsonCodec(Box[int])

    assert codec.decode(b'{"inner":[1]}') == Box((1,))
    with pytest.raises(Undecodable):
        codec.decode(b'{"inner":[%b]}' % wrong.encode())


@pytest.mark.parametrize("value", [Box(({"a"},)), Box((b"raw",)), Box((float("nan"),))])
def test_what_could_not_be_read_again_is_not_written(value):
    with pytest.raises(ValueError):
        JsonCodec(Box[float]).encode(value)


@pytest.mark.parametrize("kind", [Box[bytes], Box[set[int]], dict])
def test_a_type_that_cannot_be_kept_is_refused_at_once(kind):
    with pytest.raises(TypeError):
        JsonCodec(kind)
