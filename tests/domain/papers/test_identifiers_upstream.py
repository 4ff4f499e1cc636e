"""Every DOI in the recorded answers of the public APIs is read and comes back unchanged."""

import json
import re
from collections.abc import Iterator

import pytest
from tests.material import SHARED

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import Doi, parse_reference

UPSTREAM = SHARED / "upstream"

pytestmark = pytest.mark.skipif(
    not UPSTREAM.is_dir(), reason="the recorded answers (../shared/upstream) are absent"
)

PREFIX_ALONE = re.compile(r"10\.[0-9]+/?")
SHORT = re.compile(r"10/[a-z0-9]+")
REQUESTED = re.compile(r"https?://\S*10\.[0-9]{4,9}(?:/|%2F)\S*", re.IGNORECASE)


def recorded_dois() -> Iterator[str]:
    """Values of DOI fields, and ids that are DOIs as in DataCite, in every JSON file."""
    for path in sorted(UPSTREAM.rglob("*.json")):
        try:
            answer = json.loads(path.read_bytes())
        except ValueError:
            continue
        yield from dois_in(answer)


def dois_in(answer: object) -> Iterator[str]:
    waiting = [answer]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, dict):
            waiting.extend(value.values())
            yield from (item for key, item in value.items() if is_doi_field(key, item))


def is_doi_field(key: str, item: object) -> bool:
    if not isinstance(item, str) or not item:
        return False
    named = key.lower() in {"doi", "doi_url", "article_doi"}
    return named or (key == "id" and item.lower().startswith(("10.", "https://doi.org/10.")))


def recorded_requests() -> Iterator[str]:
    """URLs of recorded requests that contain a DOI."""
    for line in (UPSTREAM / "INDEX.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        yield from REQUESTED.findall(line.split("\t")[2])


def test_every_recorded_doi_is_read_and_comes_back_unchanged():
    texts = {text for text in recorded_dois() if not PREFIX_ALONE.fullmatch(text)}
    refused, changed = set(), set()

    for text in texts:
        try:
            reference = parse_reference(text)
        except InvalidInput:
            refused.add(text)
            continue
        bare = text.removeprefix("https://doi.org/").removeprefix("http://dx.doi.org/")
        same = isinstance(reference, Doi) and reference.value == bare.lower()
        again = {parse_reference(str(reference)), parse_reference(reference.url)}
        if not same or again != {reference}:
            changed.add((text, str(reference)))

    assert len(texts) > 5000
    assert changed == set()
    assert {text for text in refused if not SHORT.fullmatch(text)} == set()


def test_every_recorded_request_for_a_doi_is_read():
    addresses = set(recorded_requests())
    refused = set()

    for address in addresses:
        try:
            parse_reference(address)
        except InvalidInput as error:
            refused.add((address, str(error)))

    assert len(addresses) > 150
    assert refused == set()
