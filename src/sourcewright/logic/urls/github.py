"""GitHub URLs: which repository, file, issue or release a URL means."""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from sourcewright.logic.urls.parts import Place, place_of

What = Literal["repository", "file", "issue", "releases", "release"]

_HOSTS = frozenset({"github.com", "www.github.com"})
# Behind an underline stands the company that an account belongs to.
_OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}(?:_[A-Za-z0-9]{1,20})?")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")
_NUMBER = re.compile(r"[1-9][0-9]{0,9}")
_DOCUMENT = re.compile(r".+\.(?:pdf|docx|pptx|xlsx|epub)", re.IGNORECASE)
# Pages of GitHub's own that look like repositories. There are more, so that an owner who is
# not there is no proof of absence.
_ITS_OWN = """
about account advisories apps collections contact customer-stories dashboard enterprise enterprises
events explore features issues login marketplace new notifications orgs organizations partners
pricing pulls readme resources search security sessions settings site solutions sponsors stars team
topics trending users why-github
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of a repository."""

    what: What
    owner: str
    name: str
    rest: tuple[str, ...] = ()
    """Which of its things: a number, a tag, or a branch and a path."""

    @property
    def repository(self) -> str:
        return f"{self.owner}/{self.name}"


def page_at(url: str) -> Page | None:
    """The page; None for one that is better read as a page, such as a wiki or a folder."""
    page = _page_at(url)
    return None if page is None or _is_document(page) else page


def file_behind(url: str) -> str:
    """Where the file is that a page of a repository only frames; else the address itself."""
    page = _page_at(url)
    if page is None or page.what != "file":
        return url
    return f"https://github.com/{page.repository}/raw/{quote('/'.join(page.rest))}"


def _is_document(page: Page) -> bool:
    return page.what == "file" and _DOCUMENT.fullmatch(page.rest[-1]) is not None


def _page_at(url: str) -> Page | None:
    place = place_of(url)
    if place is None or place.host not in _HOSTS or len(place.parts) < 2:
        return None
    owner, name, *rest = place.parts
    name = name.removesuffix(".git")
    if (
        owner.lower() in _ITS_OWN.split()
        or not _OWNER.fullmatch(owner)
        or not _NAME.fullmatch(name)
    ):
        return None
    found = _thing(place, rest)
    return Page(what=found[0], owner=owner, name=name, rest=found[1]) if found else None


def _thing(place: Place, rest: list[str]) -> tuple[What, tuple[str, ...]] | None:
    match rest:
        case []:
            return "repository", ()
        case ["blob", _, _, *_]:
            return "file", tuple("/".join(rest[1:]).split("/"))
        case ["issues" | "pull", number] if _NUMBER.fullmatch(number):
            return "issue", (number,)
        case ["releases"] if place.params.get("page", "1") == "1" and "q" not in place.params:
            return "releases", ()
        case ["releases", "latest"] | ["releases", "tag", _, *_]:
            return "release", ("tags", "/".join(rest[2:])) if rest[2:] else ("latest",)
    return None
