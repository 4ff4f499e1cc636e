"""Exa's grounded answers, and its search with fields extracted by a JSON Schema."""

import json
import math
from collections.abc import Mapping
from typing import Any

from sourcewright.base.errors import InvalidInput
from sourcewright.base.formats.json_values import (
    entries_of,
    record_of,
    required_records,
    text_of,
    url_of,
)
from sourcewright.base.text.plain import strip_invisible
from sourcewright.domain.records.answers import (
    AnswerCitation,
    GroundedAnswer,
    StructuredItem,
    StructuredQuery,
    StructuredResults,
)
from sourcewright.domain.records.figures import json_number

CATEGORIES = (
    "company",
    "people",
    "research paper",
    "news",
    "pdf",
    "github",
    "financial report",
    "personal site",
)
MAX_PROPERTIES = 10
MAX_DEPTH = 2
_PRIMITIVES = frozenset({"string", "number", "integer", "boolean", "null"})


def require_supported(query: StructuredQuery) -> None:
    """Reject what Exa would reject, before the request is paid for.

    Raises:
        InvalidInput: The category or the schema is not supported.
    """
    if query.category is not None and query.category not in CATEGORIES:
        raise InvalidInput(
            f"category {query.category!r} is not supported by exa; use one of {', '.join(CATEGORIES)}"
        )
    problem = schema_problem(json.loads(query.schema)) if query.schema else None
    if problem:
        raise InvalidInput(f"schema is not supported by exa: {problem}")


def schema_problem(schema: Any) -> str | None:
    """Return why Exa does not support this schema: it takes flat objects with few fields."""
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        return "the root must be of type object"
    return _object_problem(schema, "schema", depth=1)


def _object_problem(schema: Mapping[str, Any], path: str, *, depth: int) -> str | None:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        return f"{path} must have properties"
    if len(properties) > MAX_PROPERTIES:
        return f"{path} has {len(properties)} properties; at most {MAX_PROPERTIES} are allowed"
    problems = (
        _property_problem(one, f"{path}.{name}", depth=depth) for name, one in properties.items()
    )
    return next(filter(None, problems), None)


def _property_problem(schema: Any, path: str, *, depth: int) -> str | None:
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    if kind == "object":
        if depth >= MAX_DEPTH:
            return f"{path} is nested too deeply; at most {MAX_DEPTH} levels are allowed"
        return _object_problem(schema, path, depth=depth + 1)
    if kind == "array":
        item = record_of(schema.get("items")).get("type")
        return None if _is_primitive(item) else f"the items of {path} must be of a primitive type"
    return None if _is_primitive(kind) else f"{path} must name its type"


def _is_primitive(kind: Any) -> bool:
    kinds = kind if isinstance(kind, list) else [kind]
    return bool(kinds) and all(isinstance(one, str) and one in _PRIMITIVES for one in kinds)


def structured_body(query: StructuredQuery) -> dict[str, Any]:
    summary: dict[str, Any] = {"query": query.text}
    if query.schema:
        summary["schema"] = json.loads(query.schema)
    return {
        "query": query.text,
        "type": "auto",
        "numResults": query.limit,
        **({"category": query.category} if query.category else {}),
        "contents": {"highlights": True, "summary": summary},
    }


def read_answer(answer: Any) -> GroundedAnswer:
    """Parse an answer.

    Raises:
        ValueError: There is no text, or a citation without a URL.
    """
    text = answer["answer"]
    if not isinstance(text, str) or not text.strip():
        raise ValueError("the answer has no text")
    citations = tuple(
        AnswerCitation(
            url=_page_url(one),
            title=text_of(one.get("title")),
            published=text_of(one.get("publishedDate")),
        )
        for one in required_records(answer["citations"])
    )
    return GroundedAnswer(
        text=strip_invisible(text).strip(), citations=citations, cost_usd=cost_of(answer)
    )


def read_structured(answer: Any, *, with_schema: bool) -> StructuredResults:
    items = tuple(
        StructuredItem(
            url=_page_url(one),
            title=text_of(one.get("title")),
            published=text_of(one.get("publishedDate")),
            author=text_of(one.get("author")),
            summary=_summary(one.get("summary"), with_schema=with_schema),
            highlights=tuple(filter(_is_text, entries_of(one.get("highlights")))),
            entities=json.dumps(one["entities"], ensure_ascii=False)
            if one.get("entities")
            else None,
        )
        for one in required_records(answer["results"])
    )
    return StructuredResults(items=items, cost_usd=cost_of(answer))


def cost_of(answer: Any) -> float | None:
    """Return the cost that Exa reports; None if it reports none."""
    total = record_of(answer.get("costDollars")).get("total")
    if not isinstance(total, int | float) or isinstance(total, bool):
        return None
    return float(total) if math.isfinite(total) and total >= 0 else None


def _page_url(record: Mapping[str, Any]) -> str:
    url = url_of(record["url"])
    if url is None:
        raise ValueError(f"not the URL of a page: {record['url']!r}"[:200])
    return url


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _summary(value: Any, *, with_schema: bool) -> str | None:
    """Return the summary as JSON. Extraction is best effort: text that is not JSON stays text."""
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if value else None
    if not value.strip():
        return None
    if with_schema:
        try:
            # A figure with more digits than a number of JSON's readers has is text.
            fields = json.loads(value, parse_float=json_number, parse_constant=lambda _: None)
            return json.dumps(fields, ensure_ascii=False)
        except (ValueError, RecursionError):
            pass
    return json.dumps(strip_invisible(value).strip(), ensure_ascii=False)
