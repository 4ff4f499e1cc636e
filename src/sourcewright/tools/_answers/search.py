"""Answers of the search tools: arguments, hits, hints, routing."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    StringConstraints,
    model_validator,
)

from sourcewright.domain.lenses import Rating, Tier
from sourcewright.domain.queries import Safe
from sourcewright.logic.search.hints import Hints, Reason, Step
from sourcewright.logic.urls.parts import canonical_host
from sourcewright.services.cache import freshness
from sourcewright.services.search.web_search import Looked, Wish, freshness_meta, routing_meta
from sourcewright.tools._base import Answer, Ask
from sourcewright.tools._results import CAMEL, UNTRUSTED, Said, ToolResult, Trust

_UNSEEN = "CZ"
"""The first letters of the categories of characters that leave no trace on paper."""


def _seen(said: str) -> str:
    """The words in one line, without control characters, which no engine can look for."""
    kinds = [(sign, unicodedata.category(sign)) for sign in said]
    if all(kind[0] in _UNSEEN for _, kind in kinds):
        raise ValueError("must have something to search for")
    return "".join(" " if kind == "Cc" else sign for sign, kind in kinds).strip()


SearchText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=500),
    AfterValidator(_seen),
]


def _language(said: str) -> str:
    code = said.strip().replace("_", "-").lower()
    if not re.fullmatch(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})*", code):
        raise ValueError("must be a code of ISO 639-1 such as de")
    return code


def _country(said: str) -> str:
    code = said.strip().lower()
    if not re.fullmatch(r"[a-z]{2}", code):
        raise ValueError("must be a code of ISO 3166-1 alpha-2 such as gb")
    return {"uk": "gb"}.get(code, code)


def _site(said: str) -> str:
    """The host, and the path below which pages count, in the spelling of addresses."""
    named = re.fullmatch(
        r"(?:https?://)?(?:\*?\.)?([^\s/:?#]+)(?::\d+)?(/[\w.~%+@,/-]*)?(?:[?#].*)?",
        said.strip().lower(),
    )
    try:
        host = canonical_host(named[1]) if named else ""
    except ValueError:
        host = ""
    if not named or not host:
        raise ValueError("must be a host such as nature.com, with or without a path")
    return host + (named[2] or "").rstrip("/")


def _whole(said: Any) -> Any:
    """`3.0` is an integer to JSON Schema, and so to whoever reads ours."""
    return int(said) if isinstance(said, float) and said.is_integer() else said


Language = Annotated[str, Field(description="ISO 639-1 code."), AfterValidator(_language)]
Country = Annotated[str, Field(description="ISO 3166-1 alpha-2 code."), AfterValidator(_country)]
Site = Annotated[str, Field(max_length=500), AfterValidator(_site)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, to_lower=True, max_length=100)]
SAFE: Mapping[str, Safe] = {"moderate": "medium", "strict": "high", "off": "off"}


class SearchAsk(Ask):
    """What every search tool takes."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, validate_by_name=True)

    query: SearchText
    num_results: Annotated[int, BeforeValidator(_whole)] = Field(
        5, description="How many results; moved into the range."
    )
    language: Language | None = None
    country: Country | None = None
    lens: Name | None = Field(None, description="A part of the web by name: see lenses://catalog.")
    provider: Name | None = Field(None, description="Ask this engine and no other.")
    session_id: Annotated[str, Field(max_length=200)] | None = Field(
        None, alias="sessionId", description="Link results to a research session."
    )

    @model_validator(mode="before")
    @classmethod
    def without_blanks(cls, said: Any) -> Any:
        """Some clients send what they do not use as null or as an empty text."""
        if not isinstance(said, Mapping):
            return said
        fields = cls.model_fields.items()
        optional = {field.alias or name for name, field in fields if not field.is_required()}
        return {k: v for k, v in said.items() if k not in optional or v not in (None, "")}

    def wish(self, tool: str, *, site: str | None = None, site_name: str = "site") -> Wish:
        """Where and for whom to look; `site_name` is how the tool calls its `site`."""
        return Wish(
            tool=tool,
            lens=self.lens,
            site=site,
            site_name=site_name,
            provider=self.provider,
            session_id=self.session_id,
        )


class Reputation(BaseModel):
    """How reliable the host is known to be."""

    model_config = CAMEL

    tier: Tier
    basis: str
    note: Said[str] = None


class SuggestedAction(BaseModel):
    """One thing to try."""

    model_config = CAMEL

    action: Step
    detail: str
    parameter: Said[str] = None
    value: Said[str] = None


class ZeroResultHints(BaseModel):
    """Why nothing was found, and how to go on."""

    model_config = CAMEL

    reason: Reason
    providers_attempted: list[str]
    providers_failed: dict[str, str]
    filters_applied: dict[str, str]
    suggested_actions: list[SuggestedAction]
    epistemic_warning: str


class SearchAnswer(Answer):
    """What every search tool's answer has."""

    model_config = CAMEL

    query: str
    result_count: int
    requested_num_results: Said[int] = None
    filters_ignored: Said[list[str]] = Field(
        None, description="Filters that the engine could not honour."
    )
    hints: Said[ZeroResultHints] = None
    trust: Trust = UNTRUSTED
    _meta: dict[str, Any] = PrivateAttr(default_factory=dict)

    def told_beside(self, looked: Looked, *, fresh_too: bool) -> Self:
        """The same answer with what is said about it outside of its content."""
        searched = looked.searched
        answer = searched.answer
        if answer.cached or fresh_too:
            word = freshness(answer.age_seconds, answer.max_age_seconds)
            self._meta.update(freshness_meta(searched, word))
        if looked.routed:
            self._meta["routing"] = routing_meta(looked)
        if looked.ignored:
            self._meta["filtersIgnored"] = list(looked.ignored)
        if searched.finders:
            self._meta["fusion"] = {key: list(who) for key, who in searched.finders.items()}
        if looked.session_known is not None:
            self._meta["session"] = {"linked": looked.session_known}
        return self

    def result(self) -> ToolResult:
        plain = super().result()
        return ToolResult(structured=plain.structured, text=plain.text, meta=dict(self._meta))


def common(ask: SearchAsk, looked: Looked, *, most: int) -> dict[str, Any]:
    """The fields that every search tool's answer has."""
    asked = ask.num_results
    return {
        "query": ask.query,
        "result_count": len(looked.searched.hits),
        "requested_num_results": asked if asked != clamped(asked, most) else None,
        "filters_ignored": list(looked.ignored) or None,
        "hints": _hints(looked.hints) if looked.hints else None,
    }


def clamped(number: int, most: int) -> int:
    return min(max(number, 1), most)


def reputation(rating: Rating | None) -> Reputation | None:
    if rating is None:
        return None
    return Reputation(tier=rating.tier, basis=rating.basis, note=rating.note)


def _hints(told: Hints) -> ZeroResultHints:
    return ZeroResultHints(
        reason=told.reason,
        providers_attempted=list(told.providers_attempted),
        providers_failed=dict(told.providers_failed),
        filters_applied=dict(told.filters_applied),
        suggested_actions=[
            SuggestedAction(
                action=one.action, detail=one.detail, parameter=one.parameter, value=one.value
            )
            for one in told.suggested_actions
        ],
        epistemic_warning=told.epistemic_warning,
    )
