"""`/admin/consent`: the host of the users records what they consented to, and reads it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import StrictBool, StringConstraints

from sourcewright.domain.users.teams import Purpose
from sourcewright.services.teams.consent import Consents
from sourcewright.web.admin.endpoints import AdminEndpoint
from sourcewright.web.admin.requests import UserAsk

_DECIDED_FROM = "admin endpoint"


class DecisionAsk(UserAsk):
    """A decision of a user."""

    purpose: Purpose
    granted: StrictBool
    terms_version: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None


def consent_endpoints(consents: Consents) -> Sequence[AdminEndpoint]:
    async def decide(ask: DecisionAsk) -> Mapping[str, Any]:
        changed = await consents.decide(
            ask.owner(),
            ask.purpose,
            granted=ask.granted,
            decided_from=_DECIDED_FROM,
            terms_version=ask.terms_version,
        )
        return {**ask.model_dump(), "changed": changed}

    async def history(ask: UserAsk) -> Mapping[str, Any]:
        owner = ask.owner()
        current = await consents.current(owner)
        return {
            **ask.model_dump(),
            "granted": {name: bool(one and one.granted) for name, one in current.items()},
            "history": [asdict(one) for one in await consents.history(owner)],
        }

    return (
        AdminEndpoint(method="POST", path="/consent", ask=DecisionAsk, run=decide),
        AdminEndpoint(method="GET", path="/consent", ask=UserAsk, run=history),
    )
