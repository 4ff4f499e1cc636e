"""Resolves a ticker, a number or a name to a filer; several candidates are listed, not guessed."""

import asyncio
from dataclasses import dataclass

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import NotFound, UpstreamError
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.domain.capabilities import FindsFilers
from sourcewright.domain.records.filers import (
    NameMatch,
    candidates,
    cik_in,
    match_name,
    with_ticker,
)
from sourcewright.domain.records.filings import Filer, FilerDirectory, FilerMatches
from sourcewright.services.records.sources import DAY, HOUR, RecordKind, RecordSources

_DIRECTORY = RecordKind(
    name="filers",
    codec=JsonCodec(FilerDirectory),
    keep=lambda directory: bool(directory.filers),
    ttl_seconds=DAY,
)
_MATCHES = RecordKind(
    name="names",
    codec=JsonCodec(FilerMatches),
    # Most queries are no names; they need not be looked up again at each repetition.
    keep=lambda _matches: True,
    ttl_seconds=HOUR,
    timeout_seconds=20.0,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedFiler:
    """The filer that a query refers to."""

    filer: Filer | None = None
    """The filer; its name may be empty if only the number is known."""
    is_ambiguous: bool = False
    """Whether several filers have exactly this name."""
    candidates: tuple[Filer, ...] = ()
    warning: str | None = None
    """What could not be checked."""
    failure: UpstreamError | None = None
    """Why it could not be checked whether there is such a filer."""


class FilerLookup:
    """Finds filers. The list of filers with a ticker is kept in memory for a day."""

    def __init__(self, records: RecordSources, clock: Clock) -> None:
        self._records = records
        self._clock = clock
        self._directories: dict[str, tuple[float, FilerDirectory]] = {}
        """By source, each with the time until which it is used."""
        self._loading = asyncio.Lock()

    async def by_ticker(self, provider: str | None, ticker: str) -> ResolvedFiler:
        """Return the filer with a ticker.

        Raises:
            UpstreamError: The list of tickers could not be fetched.
        """
        directory = await self._listed(provider)
        filer = with_ticker(directory.filers, ticker)
        warning = None if filer else f"no company with the ticker {ticker} is listed"
        return ResolvedFiler(filer=filer, warning=warning)

    async def by_query(self, provider: str | None, text: str) -> ResolvedFiler:
        """Return the filer that a query refers to: by CIK number, ticker or name.

        Raises:
            UpstreamError: The list of tickers could not be fetched.
        """
        number = cik_in(text)
        if number is not None:
            return ResolvedFiler(filer=Filer(cik=number, name=""))
        directory = await self._listed(provider)
        by_ticker = with_ticker(directory.filers, text)
        known = match_name(directory.filers, text)
        exact = candidates(known.exact, (by_ticker,) if by_ticker else ())
        if len(exact) == 1:
            return ResolvedFiler(filer=exact[0])
        if exact:
            return ResolvedFiler(is_ambiguous=True, candidates=exact)
        if len(text.split()) == 1 and len(known.prefixed) == 1:
            return ResolvedFiler(filer=known.prefixed[0])
        return await self._by_other_names(provider, text, known)

    async def _by_other_names(
        self, provider: str | None, text: str, known: NameMatch
    ) -> ResolvedFiler:
        """Search filers without a ticker, and former names."""
        try:
            matches = await self._matching(provider, text)
        except UpstreamError as error:
            warning = (
                f"names of companies without a ticker and former names were not checked ({error})"
            )
            return ResolvedFiler(
                candidates=candidates(known.prefixed), warning=warning, failure=error
            )
        filers = match_name(matches.filers, text)
        if len(filers.exact) == 1:
            return ResolvedFiler(filer=filers.exact[0])
        return ResolvedFiler(
            is_ambiguous=bool(filers.exact),
            candidates=filers.exact or candidates(known.prefixed, filers.prefixed),
        )

    async def _listed(self, provider: str | None) -> FilerDirectory:
        name, source = self._records.choose(FindsFilers, provider)
        async with self._loading:
            now = self._clock.now()
            until, directory = self._directories.get(name, (now, None))
            if directory is None or now >= until:
                answer = await self._records.ask(name, _DIRECTORY, {}, source.list_filers)
                until = now + answer.max_age_seconds - answer.age_seconds
                directory = answer.value
                self._directories[name] = until, directory
            return directory

    async def _matching(self, provider: str | None, text: str) -> FilerMatches:
        name, source = self._records.choose(FindsFilers, provider)

        async def ask() -> FilerMatches:
            return await source.match_filers(text)

        try:
            key = {"name": text}
            return (await self._records.ask(name, _MATCHES, key, ask)).value
        except NotFound:
            return FilerMatches(filers=())
