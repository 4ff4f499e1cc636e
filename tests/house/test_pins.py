"""Actions and images that others publish are pinned by digest: whoever moves a tag changes nothing here."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_PLACES = {
    "action": (("*.md", "docs"), ("*.yml", ".github"), ("*.md", ".")),
    "image": (("Dockerfile", "."), ("compose*.yaml", "."), ("*.yaml", "deploy")),
}
_ACTION = re.compile(r"^\s*(?:-\s+)?uses:\s*(\S+)(.*)$", re.MULTILINE)
_PINNED_ACTION = re.compile(r"[\w.-]+(?:/[\w.-]+)+@[0-9a-f]{40}")
_IMAGE = re.compile(
    r"^(?:# syntax=(\S+)|FROM (?:--\S+ )*(\S+).*|\s*image:\s*(\S+).*)$", re.MULTILINE
)
_PINNED_IMAGE = re.compile(r"\S+:[\w.-]+@sha256:[0-9a-f]{64}")


def files(kind: str) -> list[Path]:
    found = [
        path
        for pattern, folder in _PLACES[kind]
        for path in (ROOT / folder).glob(pattern if folder == "." else f"**/{pattern}")
    ]
    return sorted(set(found))


def test_every_action_is_pinned_to_a_commit_and_says_its_version() -> None:
    used = [
        (path.name, action, comment.strip())
        for path in files("action")
        for action, comment in _ACTION.findall(path.read_text("utf-8"))
    ]

    assert used
    assert [one for one in used if not _PINNED_ACTION.fullmatch(one[1])] == []
    assert [one for one in used if not re.fullmatch(r"# v\d+\.\d+\.\d+", one[2])] == []


def test_every_image_of_others_is_pinned_by_digest() -> None:
    unpinned, pinned = [], 0
    for path in files("image"):
        text = path.read_text("utf-8")
        own = {"sourcewright", *re.findall(r"^FROM .+ AS (\w+)$", text, re.MULTILINE)}
        for found in _IMAGE.findall(text):
            [image] = filter(None, found)
            pinned += bool(_PINNED_IMAGE.fullmatch(image))
            if image not in own and not _PINNED_IMAGE.fullmatch(image):
                unpinned.append((path.name, image))

    assert unpinned == []
    assert pinned


@pytest.mark.parametrize("kind", ["action", "image"])
def test_one_name_has_one_digest_everywhere(kind: str) -> None:
    """Two digests of one name would be an update that was made in half of the places."""
    pins: dict[str, set[str]] = {}
    for path in files(kind):
        text = path.read_text("utf-8")
        for name, digest in re.findall(r"([\w./:-]+)@((?:sha256:)?[0-9a-f]{40,64})\b", text):
            pins.setdefault(name, set()).add(digest)

    assert pins
    assert {name: found for name, found in pins.items() if len(found) > 1} == {}
