"""Requests of the operator: their parameters, from the query or a JSON body, and validated."""

import json
from collections.abc import Sequence
from typing import Annotated, Any, TypeVar, get_origin
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError
from starlette.requests import Request

from sourcewright.base.errors import InvalidInput
from sourcewright.domain.users.sessions import Owner
from sourcewright.services.teams.consent import check_names
from sourcewright.wiring.parts import DEFAULT_TENANT

MAX_BODY_BYTES = 64 * 1024
_MAX_QUERY_FIELDS = 20

Name = Annotated[str, StringConstraints(min_length=1, max_length=256)]


class AdminAsk(BaseModel):
    """Parameters of an endpoint; an unknown one is an error, not an unread wish."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class UserAsk(AdminAsk):
    """Names one user of one tenant."""

    user_id: Name
    tenant_id: Name = DEFAULT_TENANT

    def owner(self) -> Owner:
        """Raises InvalidInput for names that nobody can have."""
        owner = Owner(tenant=self.tenant_id, user=self.user_id)
        check_names(owner)
        return owner


A = TypeVar("A", bound=AdminAsk)


async def read_ask(request: Request, ask: type[A]) -> A:
    """Read the parameters of a request.

    Raises:
        InvalidInput: They are not what the endpoint accepts.
    """
    body = await request.body()
    texts = _query(request.scope["query_string"])
    query = [(name, _value(ask, name, text)) for name, text in texts]
    given = _combined(query, _body(request, body) if body else [])
    try:
        return ask.model_validate(given)
    except ValidationError as error:
        accepted = ", ".join(ask.model_fields) or "none"
        problems = "; ".join(_problem(one) for one in error.errors()[:5])
        raise InvalidInput(f"{problems} (accepted parameters: {accepted})") from error


def _value(ask: type[AdminAsk], name: str, text: str) -> Any:
    """Return what a text of the query stands for: there, everything is text."""
    kind = ask.model_fields[name].annotation if name in ask.model_fields else None
    if kind is bool:
        return {"true": True, "false": False}.get(text, text)
    return text.split() if get_origin(kind) is tuple else text


def _query(text: bytes) -> list[tuple[str, str]]:
    try:
        return list(
            parse_qsl(
                text.decode("ascii"),
                keep_blank_values=True,
                strict_parsing=bool(text),
                errors="strict",
                max_num_fields=_MAX_QUERY_FIELDS,
            )
        )
    except ValueError as error:
        raise InvalidInput("the query cannot be read") from error


def _body(request: Request, body: bytes) -> list[tuple[str, Any]]:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise InvalidInput("the body must be JSON, with Content-Type: application/json")
    try:
        value = json.loads(body, object_pairs_hook=_Members)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("the body is not valid JSON") from error
    if not isinstance(value, _Members):
        raise InvalidInput("the body must be a JSON object")
    return list(value)


class _Members(list[tuple[str, Any]]):
    """The members of a JSON object, in which a name may occur twice."""


def _combined(*parts: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    combined = dict[str, Any]()
    for name, value in (pair for part in parts for pair in part):
        if name in combined:
            raise InvalidInput(f"{name[:64]}: given twice")
        combined[name] = value
    return combined


def _problem(problem: Any) -> str:
    place = ".".join(str(part)[:64] for part in problem["loc"])
    message = str(problem["msg"])
    return f"{place}: {message[:1].lower()}{message[1:]}"
