"""Protocol features that fixtures of the conformance suite need and no tool of ours uses.

Questions to the client, log messages, subscriptions. They are added to the SDK's server behind
our endpoint, as its own middleware and request handlers; a fixture reaches them through the
exchange that it is part of.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    EmptyResult,
    SetLevelRequestParams,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    UnsubscribeRequestParams,
)

Context = ServerRequestContext[Any, Any]


@dataclass(slots=True)
class Exchange:
    """One request: what the client has sent beside the arguments, and what it gets instead."""

    context: Context
    bus: InMemorySubscriptionBus
    _instead: dict[str, Any] | None = field(default=None)
    _error: MCPError | None = field(default=None)

    @property
    def responses(self) -> Mapping[str, Any]:
        given = (self.context.params or {}).get("inputResponses")
        return given if isinstance(given, Mapping) else {}

    @property
    def state(self) -> str | None:
        """The state that an earlier answer asked the client to return; the SDK has verified it."""
        return (self.context.params or {}).get("requestState")

    def has_capability(self, name: str) -> bool:
        return getattr(self.context.session.client_capabilities, name, None) is not None

    def content_of(self, key: str) -> Mapping[str, Any] | None:
        """Return what the user has filled in, or None if the client has not shown the form yet."""
        response = self.responses.get(key)
        content = response.get("content") if isinstance(response, Mapping) else None
        return content if isinstance(content, Mapping) else None

    def require_input(self, requests: Mapping[str, Any], state: str | None = None) -> None:
        """Answer that the client has to ask its user or its model first."""
        stated = {} if state is None else {"requestState": state}
        self._instead = {"resultType": "input_required", "inputRequests": dict(requests), **stated}

    def refuse_without(self, capability: str) -> None:
        self._error = MCPError(
            MISSING_REQUIRED_CLIENT_CAPABILITY,
            f"the client did not declare {capability}",
            {"requiredCapabilities": {capability: {}}},
        )

    def outcome(self, result: HandlerResult) -> HandlerResult:
        if self._error is not None:
            raise self._error
        return result if self._instead is None else self._instead


current_exchange: ContextVar[Exchange] = ContextVar("current_exchange")


def add_protocol_features(server: Server[Any]) -> None:
    """Add them to the SDK's server."""
    bus = InMemorySubscriptionBus()

    async def exchange(context: Context, call_next: CallNext) -> HandlerResult:
        own = Exchange(context, bus)
        token = current_exchange.set(own)
        try:
            return own.outcome(await call_next(context))
        finally:
            current_exchange.reset(token)

    async def acknowledge(_context: Context, _params: Any) -> EmptyResult:
        return EmptyResult()

    sealed_state = RequestStateBoundary(
        RequestStateSecurity.ephemeral(), default_audience=server.name
    )
    server.middleware.extend([sealed_state, exchange])
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, acknowledge)
    server.add_request_handler("resources/subscribe", SubscribeRequestParams, acknowledge)
    server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, acknowledge)
    server.add_request_handler(
        "subscriptions/listen", SubscriptionsListenRequestParams, ListenHandler(bus)
    )
