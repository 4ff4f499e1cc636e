"""Cache keys: equal for equal requests, different for any other."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, make_dataclass, replace
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from sourcewright.base.formats.digests import request_digest
from sourcewright.domain.web.queries import Query

QUERY = Query(kind="web", text="tides", limit=5)
OTHER = {"kind": "news", "text": "moons", "limit": 6, "safe": "off", "sort_by": "date"}

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@dataclass(frozen=True)
class One:
    """A type with one field."""

    text: str


@dataclass(frozen=True)
class Two:
    """Another type with the same field."""

    text: str


class Model(BaseModel):
    """A model that hides a field from its output, and takes fields that it does not know."""

    model_config = ConfigDict(extra="allow")

    text: str
    hidden: int = Field(default=0, exclude=True)
    inner: One = One("inner")


@pytest.mark.parametrize("name", [one.name for one in fields(Query)])
def test_every_field_of_a_query_changes_the_key(name):
    other = OTHER.get(name, ("a.example",) if name == "sites" else "other")

    assert request_digest(replace(QUERY, **{name: other})) != request_digest(QUERY)


def test_a_field_that_is_added_changes_the_key_without_being_told():
    before = make_dataclass("Asked", [("text", str)])
    after = make_dataclass(
        "Asked", [("text", str), ("more", str, field(default="", compare=False))]
    )

    keys = [
        request_digest(before("x")),
        request_digest(after("x")),
        request_digest(after("x", "y")),
    ]

    assert len(set(keys)) == 3


def test_every_field_of_a_model_changes_the_key():
    queries = [
        Model(text="x"),
        Model(text="y"),
        Model(text="x", hidden=1),
        Model(text="x", inner=One("other")),
        Model(text="x", extra=1),
    ]

    assert len({request_digest(one) for one in queries}) == len(queries)


def test_the_key_is_the_digest_of_one_spelling():
    spelling = b'["internet","brave.web",1,["One",{"text":"\xc3\xa9"}],{"a":1.5,"b":[1,null]}]'

    key = request_digest("internet", "brave.web", 1, One("é"), {"b": (1, None), "a": 1.5})

    assert key == hashlib.sha256(spelling).hexdigest()


def rearranged(value: object) -> object:
    """The same content in other containers and another order."""
    if isinstance(value, Mapping):
        items = reversed([(name, rearranged(inner)) for name, inner in value.items()])
        return MappingProxyType(dict(items))
    return tuple(map(rearranged, value)) if isinstance(value, list) else value


@given(plain)
def test_order_of_names_and_kind_of_container_do_not_matter(value):
    assert request_digest(rearranged(value)) == request_digest(value)


@given(plain, plain)
def test_different_questions_have_different_keys(one, other):
    # Compared with their types, because 1 and True are equal and are not one question.
    same = repr(sorted_through(one)) == repr(sorted_through(other))

    assert (request_digest(one) == request_digest(other)) == same


def sorted_through(value: object) -> object:
    if isinstance(value, dict):
        return {name: sorted_through(value[name]) for name in sorted(value)}
    return [sorted_through(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a", "b"), ("ab",)),
        (("a", "b"), (["a", "b"],)),
        ((1,), ("1",)),
        ((1,), (True,)),
        ((None,), ("null",)),
        ((One("x"),), (Two("x"),)),
        (("\ud83d\udddd",), ("🗝",)),
        (({"a": {"b": 1}},), ({"a": 1, "b": 1},)),
    ],
)
def test_neighbours_do_not_meet(one, other):
    assert request_digest(*one) != request_digest(*other)


@pytest.mark.parametrize("part", [object(), {1: "x"}, {"x"}, b"x", One, lambda: 1])
def test_what_has_no_one_spelling_is_refused(part):
    with pytest.raises(TypeError):
        request_digest({"deep": [part]})
