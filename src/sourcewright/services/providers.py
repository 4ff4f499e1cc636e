"""The registry of providers: which sources may be asked, and why others may not."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Protocol, TypeVar

from sourcewright.domain.capabilities import FindsNotices, FindsPreprints
from sourcewright.domain.evidence import Attempt
from sourcewright.domain.identifiers import Reference

T = TypeVar("T")

CONTACT = "CONTACT_EMAIL"
"""The setting that serves every source which asks for an address."""


class SourceFacts(Protocol):
    """What a service needs to know about a source besides its methods."""

    @property
    def known_as(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def tier(self) -> int | None: ...
    @property
    def prefixes(self) -> tuple[str, ...]: ...
    @property
    def allowed_hosts(self) -> tuple[str, ...]: ...
    @property
    def decides_dois(self) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source as wired: the provider if it may be asked, else what keeps it from being."""

    info: SourceFacts
    provider: object | None
    kind: type = object
    """What its provider is, or would be."""
    enabled: bool = True
    switch: str | None = None
    """The setting that turns it on and off."""
    missing: tuple[tuple[str, ...], ...] = ()
    """Settings of which one in each group must be set before this source can be asked."""
    agreements: tuple[str, ...] = ()
    """Settings that must be set together with those, by somebody who agrees to the source's terms."""

    @property
    def name(self) -> str:
        """What results and logs call it."""
        return self.info.known_as

    def is_a(self, capability: type) -> bool:
        """Whether it has this capability, once it may be asked."""
        return issubclass(self.kind, capability)

    def takes(self, reference: Reference | None) -> bool:
        """Whether the reference is within the prefixes that this source is asked about."""
        prefixes = self.info.prefixes
        return not prefixes or str(reference).partition("/")[0] in prefixes

    @property
    def needs(self) -> str:
        """What would have to be set, in words."""
        return " and ".join((*map(" or ".join, self.missing), *self.agreements))

    @property
    def remedy(self) -> str:
        """What to set so that it is asked, in the fewest names that do."""
        if not self.enabled:
            return f"set {self.switch}=1" if self.switch else "turn it on"
        names = (CONTACT if CONTACT in group else group[0] for group in self.missing)
        return f"set {' and '.join((*names, *self.agreements))}"

    @property
    def required(self) -> tuple[str, ...]:
        """The settings that have to do with that, by name."""
        return (*chain(*self.missing), *self.agreements)

    def unasked(self, about: Reference | None = None) -> Attempt:
        """The account of a source that could not be asked, or not about this."""
        # The prefix counts before the settings: a key would not help with another's paper.
        # Who knows the preprints of anybody's papers would be asked about this one as well.
        would_be_asked = self.provider is None and self.is_a(FindsPreprints)
        if about is not None and not self.takes(about) and not would_be_asked:
            return Attempt(
                source=self.name,
                outcome="not_consulted_wrong_publisher",
                detail=f"asked only about {', '.join(self.info.prefixes)}",
            )
        if not self.enabled:
            return Attempt(
                source=self.name,
                outcome="not_consulted_disabled",
                detail=f"turned off ({self.switch}=1 turns it on)"
                if self.switch
                else "turned off",
                required_env=(self.switch,) if self.switch else (),
            )
        return Attempt(
            source=self.name,
            outcome="not_consulted_disabled",
            detail=f"needs {self.needs}",
            required_env=self.required,
        )


class Sources:
    """Every source, by name."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._by_name: Mapping[str, Source] = {source.name: source for source in sources}

    def __iter__(self) -> Iterator[Source]:
        return iter(self._by_name.values())

    def able(self, capability: type[T], about: Reference | None = None) -> dict[str, T]:
        """The askable sources that have a capability and take this reference, by name."""
        return {
            name: source.provider
            for name, source in self._by_name.items()
            if isinstance(source.provider, capability) and _concerns(source, capability, about)
        }

    def unable(self, *capabilities: type, about: Reference | None = None) -> tuple[Source, ...]:
        """The sources that have one of the capabilities, and may not be asked as things are set."""
        return tuple(
            source
            for source in self._by_name.values()
            if source.provider is None
            and any(
                source.is_a(capability) and _concerns(source, capability, about)
                for capability in capabilities
            )
        )

    def hosts_of(self, name: str) -> tuple[str, ...]:
        """The hosts that may answer for a source."""
        return self._by_name[name].info.allowed_hosts

    def unasked(self, about: Reference | None = None) -> tuple[Attempt, ...]:
        """An account of each source that could not be asked, or not about this."""
        return tuple(
            source.unasked(about)
            for source in self._by_name.values()
            if source.provider is None or (about is not None and not source.takes(about))
        )

    def deciders_on_notices(self) -> frozenset[str]:
        """The sources without whose word nobody can say that there is no notice about a work."""
        return frozenset(
            name for name, source in self._by_name.items() if source.is_a(FindsNotices)
        )

    def deciders(self) -> frozenset[str]:
        """The sources whose word is needed before a DOI is called absent."""
        return frozenset(
            name
            for name, source in self._by_name.items()
            if source.provider is not None and source.info.decides_dois
        )


def _concerns(source: Source, capability: type, about: Reference | None) -> bool:
    """Prefixes bound what a source holds itself; which preprint a paper had, it may know of any."""
    return capability is FindsPreprints or source.takes(about)
