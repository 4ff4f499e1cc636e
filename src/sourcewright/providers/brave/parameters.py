"""Parameters of a Brave search, and the filters that Brave does not support."""

from sourcewright.domain.search.operators import (
    OPERATORS,
    filters_beyond,
    fit_query,
    leaves_too_few_words,
    non_empty_params,
    variant_filter,
)
from sourcewright.domain.web.queries import Query

MAX_CHARACTERS, MAX_WORDS = 400, 50
"""Limits of a query, operators included."""
_MOST = {"web": 20, "images": 200, "news": 50}
_AGES = {"hour": "pd", "day": "pd", "week": "pw", "month": "pm", "year": "py"}
_SAFE = {"off": "off", "medium": "moderate", "high": "strict"}
_COUNTRIES = """
AR AT AU BE BR CA CH CL CN DE DK ES FI FR GB GR HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE
TR TW US ZA
"""
_LANGUAGES = """
ar bg bn ca cs da de el en es et eu fi fr gl gu he hi hr hu is it jp kn ko lt lv ml mr ms nb nl pa
pl pt-br pt-pt ro ru sk sl sr sv ta te th tr uk vi zh-hans zh-hant
"""
_OWN_LANGUAGES = {"ja": "jp", "no": "nb", "nn": "nb", "pt": "pt-pt", "zh": "zh-hans"}


def params_of(query: Query, *, extra_snippets: bool) -> dict[str, str]:
    pictures = query.kind == "images"
    return non_empty_params(
        q=query_text(query),
        count=str(min(query.limit, _MOST[query.kind])),
        safesearch="strict" if pictures and query.safe != "off" else _SAFE[query.safe],
        search_lang=language_code(query),
        country=country_code(query),
        freshness=None if pictures else _AGES.get(query.time_range or ""),
        result_filter="web" if query.kind == "web" else None,
        goggles=None if pictures else query.goggle,
        extra_snippets="true" if extra_snippets and not pictures else None,
    )


def query_text(query: Query) -> str:
    """The query within Brave's limits; image search documents no operators but sites."""
    without = OPERATORS - {"sites"} if query.kind == "images" else frozenset()
    if leaves_too_few_words(query, MAX_CHARACTERS):
        without |= {"sites"}
    return fit_query(query, MAX_CHARACTERS, without=without, most_words=MAX_WORDS)


def language_code(query: Query) -> str | None:
    tag = f"{query.language}-{query.language_variant}"
    codes = (tag, _OWN_LANGUAGES.get(query.language or "", query.language))
    return next((code for code in codes if code in _LANGUAGES.split()), None)


def country_code(query: Query) -> str | None:
    """The country code, `ALL` if Brave does not support the country, None if none is set."""
    code = (query.country or "").upper()
    return (code if code in _COUNTRIES.split() else "ALL") if code else None


def unsupported_filters(query: Query) -> tuple[str, ...]:
    # Image search documents no operators; hits on other sites are dropped afterwards.
    supported = {"safe", "sites"} if query.kind == "images" else {"safe", *OPERATORS}
    if (
        query.kind != "images" and query.time_range != "hour"
    ):  # a day is the shortest range it supports
        supported.add("time_range")
    supported |= {"language"} if language_code(query) else set()
    supported |= variant_filter(query, "pt", "zh")
    if leaves_too_few_words(query, MAX_CHARACTERS):
        supported.discard("sites")
    return filters_beyond(
        query, supported | ({"country"} if country_code(query) != "ALL" else set())
    )
