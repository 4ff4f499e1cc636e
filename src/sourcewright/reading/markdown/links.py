"""Relative links and images of a Markdown document, such as a README, made absolute."""

import re
from dataclasses import dataclass
from urllib.parse import urljoin

from sourcewright.reading.markdown.sections import fence_after

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_TARGET = re.compile(
    r"`[^`\n]+`"
    r"|(?P<before>(?P<image>!\[[^\[\]\n]{0,500}\]\(|<img\b[^<>\n]{0,500}?\bsrc=[\"'])<?"
    r"|\]\(<?|<a\b[^<>\n]{0,500}?\bhref=[\"']|^ {0,3}\[[^\[\]\n]{1,200}\]:[ \t]{1,9}<?)"
    r"(?P<target>[^\s()<>\"'#][^\s()<>\"']{0,2000})"
)
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}:|//")


@dataclass(frozen=True, slots=True)
class LinkBase:
    """What relative targets of a document refer to; each URL is that of a file or ends in `/`."""

    page: str
    """For links."""
    image: str
    root: str | None = None
    """For links that begin with a slash, if not the host's root: that of a repository."""


def base_of_url(url: str) -> LinkBase:
    """The base of a document that is read from this URL."""
    return LinkBase(url, url)


def base_of_repository_file(repository: str, path: str = "HEAD/README.md") -> LinkBase:
    """The base of a file in a GitHub repository; the path begins with the branch or tag."""
    ref = path.partition("/")[0]
    return LinkBase(
        page=f"https://github.com/{repository}/blob/{path}",
        image=f"https://raw.githubusercontent.com/{repository}/{path}",
        root=f"https://github.com/{repository}/blob/{ref}/",
    )


def absolute_links(text: str, base: LinkBase) -> str:
    """The document with absolute links; code and links within the document are unchanged."""
    fence, lines = "", text.split("\n")
    for at, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark:
            fence = fence_after(fence, mark[1], mark[2])
        elif not fence and ("](" in line or "]:" in line or "=" in line):
            lines[at] = _TARGET.sub(lambda match: _resolved(match, base), line)
    return "\n".join(lines)


def _resolved(match: re.Match[str], base: LinkBase) -> str:
    target = match["target"]
    if target is None or _ABSOLUTE.match(target):
        return match[0]
    origin = base.image if match["image"] else base.page
    if base.root and target.startswith("/"):
        origin, target = base.root, target.lstrip("/")
    try:
        return f"{match['before']}{urljoin(origin, target)}"
    except ValueError:
        return match[0]
