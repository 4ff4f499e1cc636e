"""Protocols: what the server requires of the application."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: the front must start fast.
    from sourcewright.base.calls import Progress

Listing = Mapping[str, Any]
Continuing = Callable[[Mapping[str, Any]], AbstractContextManager[None]]
"""Continues a trace inside, which is described like HTTP headers."""


class CallResult(Protocol):
    """Result of a tool call: structured content, text, and content beside the text."""

    @property
    def structured(self) -> dict[str, Any]: ...
    @property
    def structured_json(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def is_error(self) -> bool: ...
    @property
    def links(self) -> Sequence[Listing]: ...
    @property
    def meta(self) -> dict[str, Any]: ...


class ReadsResources(Protocol):
    """The MCP resources, and the completions for their arguments."""

    def listing(self) -> Sequence[Listing]:
        """Return the resources in the format of `resources/list`."""
        ...

    def templates(self) -> Sequence[Listing]:
        """Return the templates in the format of `resources/templates/list`."""
        ...

    async def read(self, uri: str) -> tuple[str, str | bytes]:
        """Return media type and content of a resource; raise NotFound for an unknown URI."""
        ...

    def complete(self, uri: str, argument: str, beginning: str) -> Sequence[str]:
        """Return the completions of an argument; raise NotFound for an unknown URI."""
        ...


class OffersPrompts(Protocol):
    """The MCP prompts, and the completions for their arguments."""

    def listing(self) -> Sequence[Listing]:
        """Return the prompts in the format of `prompts/list`."""
        ...

    def get(self, name: str, arguments: Mapping[str, str]) -> tuple[str, str | Sequence[Listing]]:
        """Return the description of a prompt, and its text or the content of each message.

        Raises NotFound for an unknown prompt, InvalidInput for arguments that are not valid.
        """
        ...

    def complete(self, name: str, argument: str, beginning: str) -> Sequence[str]:
        """Return the completions of an argument; raise NotFound for an unknown prompt."""
        ...


class Offer(NamedTuple):
    """What the front lists before the application is loaded."""

    tools: Sequence[Listing]
    prompts: Sequence[Listing] = ()
    output_schemas: bool = True
    """Whether the list of tools has the schemas of their answers."""


class Backend(Protocol):
    """The application behind the server: its tools, prompts and resources."""

    @property
    def output_schemas(self) -> bool:
        """Whether the list of tools has the schemas of their answers."""
        ...

    @property
    def continuing(self) -> Continuing | None:
        """Continues the trace of a client; None if no traces are sent."""
        ...

    def names(self) -> Collection[str]:
        """Return the names of the enabled tools."""
        ...

    def listing(self) -> Sequence[Listing]:
        """Return the enabled tools in the format of `tools/list`, with output schemas."""
        ...

    def prompts(self) -> OffersPrompts:
        """Return the MCP prompts."""
        ...

    def views(self) -> ReadsResources:
        """Return the MCP resources."""
        ...

    async def call(self, name: str, arguments: object, *, progress: "Progress") -> CallResult: ...

    def interrupted(self, name: str, arguments: object) -> CallResult:
        """Return the error for a call that was cancelled because the server shuts down."""
        ...

    async def aclose(self) -> None: ...


LoadBackend = Callable[[], Backend]
