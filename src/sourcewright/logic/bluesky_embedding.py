"""Reads what a post on Bluesky carries: pictures, films, links, and what it quotes."""

from collections.abc import Iterator, Mapping

from sourcewright.logic.composing import joined
from sourcewright.logic.gleaning import Record, record_of, records_of, text_of
from sourcewright.logic.wording import words_of

UNSHOWN = "[shown to members only]"
_MEMBERS_ONLY = "!no-unauthenticated"
"""The label by which a member asks not to be shown to those who have not signed in."""
_MISSING: Mapping[str, str] = {
    "notFound": "[The quoted post is not there any more]",
    "blocked": "[The quoted post is shown to some members only]",
    "detached": "[The quoted post was taken back by its author]",
}
_DEEPEST = 3
"""What is quoted in a quotation in a quotation is not told."""


def embedded(embed: Record, depth: int = 0) -> Iterator[str]:
    """Each of its parts as Markdown."""
    media = record_of(embed.get("media"))
    for one in (embed, media):
        yield from _media(one)
    quoted = record_of(embed.get("record"))
    # With media beside it, what is quoted stands one step deeper.
    yield from _quoted(record_of(quoted.get("record")) if media else quoted, depth)


def is_private(member: Record) -> bool:
    return any(label.get("val") == _MEMBERS_ONLY for label in records_of(member.get("labels")))


def name_of_member(member: Record) -> str:
    return text_of(member.get("displayName")) or str(member["handle"])


def _media(embed: Record) -> Iterator[str]:
    for image in records_of(embed.get("images")):
        yield f"[Image: {alt}]" if (alt := text_of(image.get("alt"))) else "[Image]"
    if "playlist" in embed:
        yield f"[Video: {text_of(embed.get('alt')) or 'no description'}]"
    if external := record_of(embed.get("external")):
        title, about = text_of(external.get("title")), text_of(external.get("description"))
        link = f"[{title or external['uri']}]({external['uri']})"
        yield f"{link}: {about}" if about else link


def _quoted(quoted: Record, depth: int) -> Iterator[str]:
    missing = next((said for mark, said in _MISSING.items() if quoted.get(mark) is True), None)
    if missing is not None:
        yield missing
    elif "value" in quoted and is_private(record_of(quoted.get("author"))):
        yield f"> {UNSHOWN}"
    elif "value" in quoted and depth < _DEEPEST:
        inside = (
            part for one in records_of(quoted.get("embeds")) for part in embedded(one, depth + 1)
        )
        author, text = name_of_member(quoted["author"]), words_of(quoted["value"].get("text"))
        lines = joined(f"{author}: {text}", *inside).split("\n")
        yield "\n".join(f"> {line}".rstrip() for line in lines)
    elif name := _title_of(quoted):
        yield name


def _title_of(thing: Record) -> str | None:
    """A feed, a list or a pack of members, by its name and what is said of it."""
    told = {**record_of(thing.get("record")), **thing}
    name = text_of(told.get("displayName") or told.get("name"))
    about = text_of(told.get("description"))
    return f"[{name}: {about}]" if name and about else f"[{name}]" if name else None
