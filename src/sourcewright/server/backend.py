"""What the server needs from the rest of the package, and nothing more."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    # Named for the types alone: the front must stay light.
    from sourcewright.domain.calls import Progress

Listing = Mapping[str, Any]


class Outcome(Protocol):
    """What a call gave, in both forms that the protocol carries."""

    @property
    def structured(self) -> dict[str, Any]: ...
    @property
    def text(self) -> str: ...
    @property
    def is_error(self) -> bool: ...
    @property
    def links(self) -> Sequence[Listing]: ...
    @property
    def meta(self) -> dict[str, Any]: ...


class Views(Protocol):
    """What can be read by address, and the values that arguments may have."""

    def listing(self) -> Sequence[Listing]:
        """Describe each, as resources/list carries it."""
        ...

    def templates(self) -> Sequence[Listing]:
        """Describe what can be read by name, as resources/templates/list carries it."""
        ...

    async def read(self, uri: str) -> tuple[str, str]:
        """Give the type and the text of what is at an address; NotFound where nothing is."""
        ...

    def complete(self, uri: str, argument: str, beginning: str) -> Sequence[str]:
        """Give the values that begin so, of an argument of a resource; NotFound without one."""
        ...


class Backend(Protocol):
    """Everything that can be asked of the tools."""

    def names(self) -> Collection[str]:
        """Name each tool that may be called."""
        ...

    def listing(self) -> Sequence[Listing]:
        """Describe each tool that may be called, as tools/list carries it."""
        ...

    def views(self) -> Views:
        """Give what can be read besides."""
        ...

    async def call(self, name: str, arguments: object, *, progress: "Progress") -> Outcome: ...

    def interrupted(self, name: str, arguments: object) -> Outcome:
        """Give the answer to a call that was ended because the server has to leave."""
        ...

    async def aclose(self) -> None: ...


Load = Callable[[], Backend]
