"""GitHub URLs: which repository, file, issue or release a URL refers to."""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from sourcewright.base.urls.parts import UrlParts, url_parts_of

GitHubPageKind = Literal["repository", "file", "issue", "releases", "release"]

_HOSTS = frozenset({"github.com", "www.github.com"})
# After an underscore comes the company of a managed account.
_OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}(?:_[A-Za-z0-9]{1,20})?")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")
_NUMBER = re.compile(r"[1-9][0-9]{0,9}")
_DOCUMENT = re.compile(r".+\.(?:pdf|docx|pptx|xlsx|epub|odt|rtf)", re.IGNORECASE)
# GitHub's own pages that look like repositories. The list is incomplete, so that a missing
# owner does not prove that a repository does not exist.
_RESERVED_OWNERS = """
about account advisories apps collections contact customer-stories dashboard enterprise enterprises
events explore features issues login marketplace new notifications orgs organizations partners
pricing pulls readme resources search security sessions settings site solutions sponsors stars team
topics trending users why-github
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubPage:
    """A page of a repository."""

    what: GitHubPageKind
    owner: str
    name: str
    rest: tuple[str, ...] = ()
    """What the page shows: a number, a tag, or a branch and a path."""

    @property
    def repository(self) -> str:
        return f"{self.owner}/{self.name}"


def github_page_at(url: str) -> GitHubPage | None:
    """The page; None for pages that are better read as HTML, such as a wiki or a folder."""
    page = _parse_page(url)
    return None if page is None or _is_document(page) else page


def raw_file_url(url: str) -> str:
    """The raw URL of the file that a repository page displays; any other URL unchanged."""
    page = _parse_page(url)
    if page is None or page.what != "file":
        return url
    return f"https://github.com/{page.repository}/raw/{quote('/'.join(page.rest))}"


def _is_document(page: GitHubPage) -> bool:
    return page.what == "file" and _DOCUMENT.fullmatch(page.rest[-1]) is not None


def _parse_page(url: str) -> GitHubPage | None:
    """The page of a repository that a URL refers to; None for any other URL."""
    parts = url_parts_of(url)
    if parts is None or parts.host not in _HOSTS or len(parts.parts) < 2:
        return None
    owner, name, *rest = parts.parts
    name = name.removesuffix(".git")
    if (
        owner.lower() in _RESERVED_OWNERS.split()
        or not _OWNER.fullmatch(owner)
        or not _NAME.fullmatch(name)
    ):
        return None
    parsed = _kind_and_rest(parts, rest)
    return GitHubPage(what=parsed[0], owner=owner, name=name, rest=parsed[1]) if parsed else None


def _kind_and_rest(
    parts: UrlParts, rest: list[str]
) -> tuple[GitHubPageKind, tuple[str, ...]] | None:
    match rest:
        case []:
            return "repository", ()
        case ["blob", _, _, *_]:
            return "file", tuple("/".join(rest[1:]).split("/"))
        case ["issues" | "pull", number] if _NUMBER.fullmatch(number):
            return "issue", (number,)
        case ["releases"] if parts.params.get("page", "1") == "1" and "q" not in parts.params:
            return "releases", ()
        case ["releases", "latest"] | ["releases", "tag", _, *_]:
            return "release", ("tags", "/".join(rest[2:])) if rest[2:] else ("latest",)
    return None
