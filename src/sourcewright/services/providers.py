"""Registry of providers: which sources can be queried, and why others cannot."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol, TypeVar, cast

from sourcewright.base.identifiers import Reference
from sourcewright.domain.capabilities import FindsNotices, FindsPreprints
from sourcewright.domain.evidence import SourceAttempt

T = TypeVar("T")

CONTACT_SETTING = "CONTACT_EMAIL"
"""The setting that serves every source which needs an e-mail address."""

_RESULT_OPTIONS = frozenset({"text", "flag", "url"})
"""Kinds of options that can change results; e-mail addresses and API keys do not."""


class SourceFacts(Protocol):
    """Metadata of a source that services need besides its methods."""

    @property
    def reported_name(self) -> str: ...
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
    @property
    def tells_notices(self) -> bool: ...
    @property
    def honours_radius(self) -> bool: ...
    @property
    def has_only(self) -> Mapping[type, str]: ...
    @property
    def refuses_keyless(self) -> str: ...
    def can_ask(self, doi: str) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A configured source: its provider, or the settings that are missing."""

    info: SourceFacts
    provider: object | None
    kind: type = object
    """Class of the provider, also if there is no instance."""
    enabled: bool = True
    switch: str | None = None
    """The setting that enables or disables it."""
    missing: tuple[tuple[str, ...], ...] = ()
    """Groups of settings; one of each group must be set before this source can be queried."""
    withheld: str | None = None
    """What is wrong with the e-mail address that it needs, if one is set and is not sent to it."""
    agreements: tuple[str, ...] = ()
    """Settings needed in addition, by which the operator accepts the source's terms."""

    @property
    def name(self) -> str:
        """Name in results and logs."""
        return self.info.reported_name

    @property
    def result_options(self) -> dict[str, object]:
        """The options of a configured source that can change its results, for cache keys."""
        provider: Any = self.provider
        names = (one.name for one in provider.info.options if one.kind in _RESULT_OPTIONS)
        return {name: provider.options.get(name) for name in names}

    def is_a(self, capability: type) -> bool:
        """Whether its provider class has this capability, configured or not."""
        return issubclass(self.kind, capability)

    def accepts(self, reference: Reference | None) -> bool:
        """Whether the DOI prefix is one of this source; a source without prefixes takes all."""
        prefixes = self.info.prefixes
        return not prefixes or str(reference).partition("/")[0] in prefixes

    @property
    def turns_caller_away(self) -> bool:
        """Whether it would refuse every request, because it has no key and answers nobody without."""
        return bool(self.info.refuses_keyless and self.missing)

    @property
    def needs(self) -> str:
        """The missing settings, as text; of the names of an address, the one that all share."""
        names = (
            CONTACT_SETTING if CONTACT_SETTING in group else " or ".join(group)
            for group in self.missing
        )
        return " and ".join((*names, *self.agreements))

    @property
    def remedy(self) -> str:
        """Instruction for enabling it, with as few settings as possible."""
        if not self.enabled:
            return f"set {self.switch}=1" if self.switch else "enable it"
        if self.withheld:
            return f"correct {self.withheld}"
        names = (
            CONTACT_SETTING if CONTACT_SETTING in group else group[0] for group in self.missing
        )
        return f"set {' and '.join((*names, *self.agreements))}"

    @property
    def required(self) -> tuple[str, ...]:
        """Names of all missing settings, alternatives included."""
        return (*chain(*self.missing), *self.agreements)

    def skipped(self, reference: Reference | None = None) -> SourceAttempt:
        """Return the attempt entry of a source that is unusable, or not responsible for this DOI."""
        # The prefix is checked before the settings: a key would not help with the paper of
        # another publisher. A source of preprints, once configured, takes papers of any prefix.
        takes_any_prefix = self.provider is None and self.is_a(FindsPreprints)
        if reference is not None and not self.accepts(reference) and not takes_any_prefix:
            return SourceAttempt(
                source=self.name,
                outcome="not_consulted_wrong_publisher",
                detail=f"queried only for {', '.join(self.info.prefixes)}",
            )
        if not self.enabled:
            return SourceAttempt(
                source=self.name,
                outcome="not_consulted_disabled",
                detail=f"disabled (enable it with {self.switch}=1)" if self.switch else "disabled",
                required_env=(self.switch,) if self.switch else (),
            )
        return SourceAttempt(
            source=self.name,
            outcome="not_consulted_disabled",
            detail=self.withheld or f"needs {self.needs}",
            # A source that answers nobody without a key is no gap that every answer must name.
            required_env=() if self.turns_caller_away else self.required,
        )


class Sources:
    """All sources, by name."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._by_name: Mapping[str, Source] = {source.name: source for source in sources}

    def __iter__(self) -> Iterator[Source]:
        return iter(self._by_name.values())

    def having(self, capability: type[T], reference: Reference | None = None) -> dict[str, T]:
        """Return the usable sources that have a capability and take this reference, by name."""
        return {
            name: cast("T", source.provider)
            for name, source in self._by_name.items()
            # Of the class, because Python keeps that answer, and works out the other each time.
            if issubclass(type(source.provider), capability)
            and _is_responsible(source, capability, reference)
        }

    def unable(
        self, *capabilities: type, reference: Reference | None = None
    ) -> tuple[Source, ...]:
        """Return the sources with one of the capabilities that are disabled or not configured."""
        return tuple(
            source
            for source in self._by_name.values()
            if source.provider is None
            and any(
                source.is_a(capability) and _is_responsible(source, capability, reference)
                for capability in capabilities
            )
        )

    def __getitem__(self, name: str) -> Source:
        return self._by_name[name]

    def hosts_of(self, name: str) -> tuple[str, ...]:
        """Return the hosts that a source may use."""
        return self._by_name[name].info.allowed_hosts

    def skipped(self, reference: Reference | None = None) -> tuple[SourceAttempt, ...]:
        """Return an attempt entry for each source that is unusable or not responsible for this DOI."""
        return tuple(
            source.skipped(reference)
            for source in self._by_name.values()
            if source.provider is None or (reference is not None and not source.accepts(reference))
        )

    def part_of(self, name: str, capability: type) -> str | None:
        """Return which part of a subject a source has; None if it can know what there is."""
        return self._by_name[name].info.has_only.get(capability)

    def deciders_on_notices(self) -> frozenset[str]:
        """Return the sources that must answer before a work counts as free of notices."""
        return frozenset(
            name for name, source in self._by_name.items() if source.is_a(FindsNotices)
        )

    def deciders(self) -> frozenset[str]:
        """Return the sources that must answer before a DOI counts as nonexistent."""
        return frozenset(
            name
            for name, source in self._by_name.items()
            if source.provider is not None and source.info.decides_dois
        )


def _is_responsible(source: Source, capability: type, reference: Reference | None) -> bool:
    """Prefixes limit the papers that a source holds, not those whose preprints it knows."""
    return capability is FindsPreprints or source.accepts(reference)
