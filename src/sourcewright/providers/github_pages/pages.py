"""GitHub's API responses about repositories, files, issues and releases, as Markdown."""

import re
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from sourcewright.base.formats.json_values import (
    Record,
    name_of,
    record_of,
    records_of,
    require_value,
    required_records,
    text_of,
    texts_of,
    url_of,
)
from sourcewright.base.text.dates import date_of
from sourcewright.base.text.phrases import raw_text_of
from sourcewright.base.text.plain import strip_invisible
from sourcewright.reading.html.structure.hidden_text import without_hidden_text
from sourcewright.reading.markdown.links import absolute_links, base_of_repository_file
from sourcewright.reading.markdown.notebooks import notebook_in
from sourcewright.reading.markdown.writer import (
    Comment,
    code_fence,
    fact_list,
    join_blocks,
    truncate,
    write_comments,
)
from sourcewright.reading.readings import Reading

KIND, SITE, HOME = "github", "GitHub", "https://github.com"
MAX_COMMENTS = 300
MAX_CHARACTERS = 400_000
_LONGEST_BODY = 100_000
_MARKDOWN = frozenset({"md", "markdown", "mdown", "mkd"})
_NOTEBOOK = "ipynb"
_LANGUAGES = {"py": "python", "js": "javascript", "ts": "typescript", "rs": "rust", "sh": "bash"}
_PLACE = re.compile(r"https://api\.github\.com/repos/([A-Za-z0-9_-]+/[A-Za-z0-9._-]+)")
_PLAIN = re.compile(r"[a-z0-9]{1,12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """An issue or a pull request, without its comments."""

    repository: str
    """The repository it is in now: issues can be transferred."""
    number: int
    title: str
    is_pull: bool
    body: str
    author: str | None
    opened: str | None
    changed: str | None
    comments: int
    facts: str


def read_text(body: bytes) -> str:
    """Decode a text file.

    Raises:
        ValueError: It is not a text file.
    """
    if b"\0" in body:
        raise ValueError("not a text")
    return body.decode("utf-8-sig")


def read_file(answer: Any) -> str:
    """Decode a text file from the contents API, which sends base64."""
    if answer["encoding"] != "base64":
        raise ValueError(f"the file is encoded as {answer['encoding']}")
    return read_text(b64decode(answer["content"]))


def read_repository(answer: Any) -> Reading:
    """A repository's metadata, without its README."""
    name = require_value(text_of(answer["full_name"]), "name")
    description = text_of(answer["description"])
    details = fact_list(
        Stars=int(answer["stargazers_count"]),
        Forks=int(answer["forks_count"]),
        Open_issues=int(answer["open_issues_count"]),
        Language=text_of(answer["language"]),
        Topics=", ".join(texts_of(answer.get("topics"))),
        Licence=name_of(record_of(answer.get("license"))),
        Homepage=url_of(answer.get("homepage")),
        Created=date_of(answer["created_at"]),
        Last_push=date_of(answer["pushed_at"]),
        Fork_of=text_of(record_of(answer.get("parent")).get("full_name")),
        Archived="yes" if answer.get("archived") is True else None,
    )
    return Reading(
        content=join_blocks(f"# {name}", description, details),
        kind=KIND,
        title=f"{name}: {description}" if description else name,
        author=_login(answer["owner"]),
        site=SITE,
        published=date_of(answer["created_at"]),
        modified=date_of(answer["pushed_at"]),
        canonical=url_of(answer["html_url"]),
    )


def add_readme(repository: Reading, readme: str | None) -> Reading:
    text, cut = truncate(_clean_markdown(readme), MAX_CHARACTERS)
    name = (repository.canonical or "").removeprefix("https://github.com/")
    text = absolute_links(text, base_of_repository_file(name)) if name else text
    heading = "It has no README." if readme is None else "## README"
    return replace(repository, content=join_blocks(repository.content, heading, text), cut=cut)


def file_page(repository: str, path: Sequence[str], text: str) -> Reading:
    """A file: code in a fence, Markdown and notebooks with absolute links."""
    ending = path[-1].rpartition(".")[2].lower()
    notebook = notebook_in(text) if ending == _NOTEBOOK else None
    title = f"{repository}: {path[-1]}"
    text, cut = truncate(text if notebook is None else notebook.content, MAX_CHARACTERS)
    if ending in _MARKDOWN or notebook is not None:
        base = base_of_repository_file(repository, "/".join(path))
        content = absolute_links(_clean_markdown(text), base)
    else:
        language = _LANGUAGES.get(ending, ending if _PLAIN.fullmatch(ending) else "")
        content = join_blocks(f"# {title}", code_fence(strip_invisible(text), language))
    return Reading(content=content, kind=KIND, title=title, site=SITE, cut=cut)


def read_issue(answer: Any) -> Issue:
    place = _PLACE.fullmatch(answer["repository_url"])
    if place is None:
        raise ValueError(f"the issue belongs to {answer['repository_url']}")
    pull = answer.get("pull_request")
    merged = text_of(record_of(pull).get("merged_at"))
    state = "merged" if merged else require_value(text_of(answer["state"]), "state")
    return Issue(
        repository=place[1],
        number=int(answer["number"]),
        title=require_value(text_of(answer["title"]), "title"),
        is_pull=pull is not None,
        body=_clean_markdown(answer.get("body")),
        author=_login(answer["user"]),
        opened=text_of(answer["created_at"]),
        changed=text_of(answer.get("updated_at")),
        comments=int(answer["comments"]),
        facts=fact_list(
            State=" ".join(filter(None, (state, _reason(answer)))),
            Author=_login(answer["user"]),
            Opened=text_of(answer["created_at"]),
            Closed=merged or text_of(answer.get("closed_at")),
            Labels=", ".join(filter(None, map(name_of, records_of(answer.get("labels"))))),
            Milestone=text_of(record_of(answer.get("milestone")).get("title")),
        ),
    )


def read_comments(answer: Any) -> tuple[Comment, ...]:
    """Comments, reviews or line comments; a review without text shows its decision."""
    remarks = [
        Comment(
            text=_clean_markdown(one["body"])
            or f"[{text_of(one.get('state')) or 'no text'}]".lower(),
            author=_login(one["user"]),
            when=text_of(one.get("created_at") or one.get("submitted_at")),
            note=_comment_note(one),
        )
        for one in required_records(answer)
    ]
    return tuple(remarks)


def issue_page(
    issue: Issue,
    comments: Sequence[Comment],
    beside: Sequence[Sequence[Comment]],
    *,
    at_once: int,
) -> Reading:
    """An issue with its comments, or a pull request with its reviews as well.

    The issue gives the number of comments. A full page of reviews means that there may be more.
    """
    remarks = [*comments, *chain.from_iterable(beside)]
    more = any(len(part) >= at_once for part in beside)
    ordered = sorted(remarks, key=lambda one: one.when or "")
    thread = write_comments(ordered, most=MAX_COMMENTS, characters=MAX_CHARACTERS)
    body, cut = truncate(issue.body, _LONGEST_BODY)
    what, place = ("Pull request", "pull") if issue.is_pull else ("Issue", "issues")
    total = max(issue.comments, len(comments)) + len(remarks) - len(comments)
    total_text = f"{total} or more" if more else f"{total}"
    heading = f"## Comments ({thread.count} of {total_text})" if total else None
    return Reading(
        content=join_blocks(
            f"# {issue.title}",
            f"{what} {issue.number} of {issue.repository}",
            issue.facts,
            body,
            heading,
            thread.text,
        ),
        kind=KIND,
        title=issue.title,
        author=issue.author,
        site=SITE,
        published=issue.opened,
        modified=issue.changed,
        canonical=f"{HOME}/{issue.repository}/{place}/{issue.number}",
        cut=cut or thread.cut or more or total > thread.count,
    )


def releases_page(repository: str, answer: Any, *, most: int) -> Reading:
    releases = [_release(one) for one in required_records(answer)]
    text, cut = truncate(join_blocks(*releases[:most]), MAX_CHARACTERS)
    title = f"Releases of {repository}"
    return Reading(
        content=join_blocks(f"# {title}", text or "There are none."),
        kind=KIND,
        title=title,
        site=SITE,
        canonical=f"{HOME}/{repository}/releases",
        cut=cut or len(releases) > most,
    )


def release_page(repository: str, answer: Any) -> Reading:
    text, cut = truncate(_release(answer), MAX_CHARACTERS)
    return Reading(
        content=join_blocks(f"# Release of {repository}", text),
        kind=KIND,
        title=f"{repository} {text_of(answer.get('name')) or text_of(answer['tag_name'])}",
        author=_login(answer.get("author")),
        site=SITE,
        published=text_of(answer.get("published_at")),
        canonical=url_of(answer.get("html_url")),
        cut=cut,
    )


def matching_ref(answer: Any, rest: str) -> str | None:
    """The longest branch or tag that is a prefix of the path."""
    if not isinstance(answer, list):
        raise TypeError(f"expected branches, got {type(answer).__name__}")
    refs = (
        require_value(text_of(one["ref"]), "ref").split("/", 2)[2] for one in records_of(answer)
    )
    return max((ref for ref in refs if rest.startswith(f"{ref}/")), key=len, default=None)


def _release(answer: Record) -> str:
    tag = require_value(text_of(answer["tag_name"]), "tag")
    name = text_of(answer.get("name")) or tag
    files = [
        f"- [{text_of(one.get('name'))}]({url_of(one.get('browser_download_url'))})"
        for one in records_of(answer.get("assets"))
    ]
    details = fact_list(
        Tag=tag,
        Date=text_of(answer.get("published_at")),
        Author=_login(answer.get("author")),
        Prerelease="yes" if answer.get("prerelease") is True else None,
    )
    return join_blocks(
        f"## {name}", details, _clean_markdown(answer.get("body")), "\n".join(files)
    )


def _clean_markdown(value: Any) -> str:
    """User-written Markdown, without hidden text."""
    return without_hidden_text(strip_invisible(raw_text_of(value).replace("\r\n", "\n"))).strip(
        "\n"
    )


def _comment_note(remark: Record) -> str | None:
    path, state = text_of(remark.get("path")), text_of(remark.get("state"))
    return f"on {path}" if path else state.lower().replace("_", " ") if state else None


def _reason(answer: Record) -> str | None:
    reason = text_of(answer.get("state_reason"))
    return f"({reason.replace('_', ' ')})" if reason and answer["state"] == "closed" else None


def _login(user: Any) -> str | None:
    return text_of(record_of(user).get("login"))
