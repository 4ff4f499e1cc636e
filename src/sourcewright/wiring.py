"""Builds everything from the settings. The only module that knows all the parts."""

import hashlib
import logging
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

from sourcewright import __version__, providers, tools
from sourcewright.domain.calls import Progress
from sourcewright.domain.identifiers import Doi
from sourcewright.domain.ports import Lane, SystemClock
from sourcewright.logic.allowing import TRANSPARENT, oa_publisher_hosts
from sourcewright.logic.masking import Masker
from sourcewright.net.breaker import BreakerRules
from sourcewright.net.client import Client
from sourcewright.net.exchange import Policy
from sourcewright.net.files import OpenCopies
from sourcewright.net.network import Network
from sourcewright.providers._base import Provider, ProviderInfo
from sourcewright.readers.pdf import PdfReader
from sourcewright.services.curating import Curator
from sourcewright.services.examining import Finding, examine_folder, examine_log
from sourcewright.services.exporting import Exporter
from sourcewright.services.fetching import Fetcher
from sourcewright.services.graphing import Grapher
from sourcewright.services.keeping import Keeper
from sourcewright.services.locating import Locator
from sourcewright.services.papers import Papers
from sourcewright.services.planning import Planner
from sourcewright.services.repeating import Repeats
from sourcewright.services.research import Research
from sourcewright.services.resolving import Resolver
from sourcewright.services.sources import Source, Sources
from sourcewright.services.surveying import PAPER_STARTS_PER_SECOND, Survey
from sourcewright.settings import Settings
from sourcewright.settings.process import own_config_path
from sourcewright.stores import audit, provenance
from sourcewright.stores.audit import AuditLog, AuditOff
from sourcewright.stores.audit_events import AuditPolicy
from sourcewright.stores.chain import timestamp
from sourcewright.stores.library import LibraryIndex
from sourcewright.stores.pacing import SqliteLedger
from sourcewright.stores.papers import PaperStore
from sourcewright.stores.provenance import ProvenanceLog
from sourcewright.stores.shelf import METADATA, Shelf
from sourcewright.stores.ulids import new_ulid
from sourcewright.tools._base import ToolResult
from sourcewright.tools._pipeline import Pipeline

USER_AGENT = f"sourcewright/{__version__}"

RECORD_SECONDS = 10.0
"""A record is small: a source that is silent for longer than this does not answer."""

LOCK_SECONDS = 5.0
"""How long a paper is waited for that another process is writing."""

PAPERS = Lane(name="papers", starts=int(PAPER_STARTS_PER_SECOND), per_seconds=1.0, at_once=5)
"""The published budget that all sources of the paper tools share."""


def build(settings: Settings) -> "Application":
    """Everything, ready to be called. Nothing is opened before it is needed."""
    _configure_logging(settings)
    return Application(settings)


class Application:
    """The tools, and everything below them."""

    def __init__(self, settings: Settings) -> None:
        clock = SystemClock()
        self._settings = settings
        self._client = Client(
            user_agent=USER_AGENT,
            sandbox_url=settings.sandbox_url,
            allowed_origins=settings.allowed_origins,
        )
        self._network = _network(settings, self._client)
        self._recorder = _recorder(settings)
        self._auditor = _auditor(settings)
        self._sources = Sources(
            _source(kind, settings, self._network) for kind in providers.discover().values()
        )
        self._reader = PdfReader()
        self._store = PaperStore(settings.store_root, clock=clock, sandbox=settings.sandbox)
        self._keeper = _keeper(settings, self._store)
        self._curator = Curator(
            keeper=self._keeper, recorder=self._recorder, now=lambda: timestamp(clock.now())
        )
        self._exporter = Exporter(self._store)
        self._pipeline = Pipeline(
            specs={
                name: spec
                for name, spec in tools.discover().items()
                if spec.toolset in settings.toolsets
            },
            research=self._research(),
            auditor=self._auditor,
            clock=clock,
            meta={"sandbox": True} if settings.sandbox else {},
        )

    def _research(self) -> Research:
        resolver = Resolver(self._sources, self._recorder)
        return Research(
            curator=self._curator,
            exporter=self._exporter,
            keeper=self._keeper,
            papers=self._papers(resolver),
            resolver=resolver,
            survey=Survey(
                version=__version__,
                known=self._sources,
                store_root=self._settings.store_root,
                log_path=self._settings.log_path,
                audit_ok=self._auditor.is_ok,
                sandbox=self._settings.sandbox,
            ),
        )

    def _papers(self, resolver: Resolver) -> Papers:
        settings, clock = self._settings, SystemClock()
        hosts = oa_publisher_hosts(
            settings.additional_hosts,
            trust_academic=settings.trust_academic_repos,
            trust_registries=settings.trust_oa_registries,
        )
        copies = OpenCopies(self._network, hosts=hosts, passing=TRANSPARENT)
        return Papers(
            fetcher=Fetcher(
                resolver=resolver,
                locator=Locator(self._sources, copies, self._reader),
                keeper=self._keeper,
                recorder=self._recorder,
                now=lambda: timestamp(clock.now()),
            ),
            planner=Planner(
                sources=self._sources,
                store_root=settings.store_root,
                open_hosts=hosts,
                passing_hosts=TRANSPARENT,
                arxiv_hosts=self._sources.hosts_of("arxiv"),
            ),
            grapher=Grapher(self._sources, self._recorder, self._has),
            repeats=Repeats(clock, _config_fingerprint),
            recorder=self._recorder,
            sources=self._sources,
        )

    async def _has(self, doi: str) -> bool:
        """Whether the library has a paper."""
        return await self._store.find(Doi(doi)) is not None

    def names(self) -> Collection[str]:
        """Each tool that may be called, by name."""
        return self._pipeline.specs.keys()

    def listing(self) -> Sequence[Mapping[str, Any]]:
        """Each tool that may be called, as `tools/list` carries it."""
        return [spec.listing() for spec in self._pipeline.specs.values()]

    async def call(
        self, name: str, arguments: object, *, progress: Progress | None = None
    ) -> ToolResult:
        return await self._pipeline.call(name, arguments, progress=progress)

    def sources(self) -> tuple[Source, ...]:
        return tuple(self._sources)

    def keeper(self) -> Keeper:
        """The library, for commands that no tool offers."""
        return self._keeper

    def curator(self) -> Curator:
        """Changes the library on a user's word, which no tool may."""
        return self._curator

    def exporter(self) -> Exporter:
        """Takes papers out of the library, for commands that write more than one call may."""
        return self._exporter

    def examine(self) -> list[Finding]:
        """What is kept on this machine, and whether it is in order."""
        settings = self._settings
        return [
            examine_folder("store", settings.store_root, "DOIGET_STORE_ROOT"),
            examine_folder("state folder", settings.state_dir, "XDG_STATE_HOME"),
            examine_log("provenance log", settings.log_path, provenance.verify),
            examine_log("audit log", settings.audit_output_path, audit.verify),
        ]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Write what is queued, and let go of every file and connection."""
        async with AsyncExitStack() as last_to_first:
            for part in (
                self._keeper,
                self._recorder,
                self._auditor,
                self._reader,
                self._client,
                self._network,
            ):
                last_to_first.push_async_callback(part.aclose)


def _network(settings: Settings, client: Client) -> Network:
    return Network(
        client=client,
        ledger=SqliteLedger(settings.pacing_path),
        sandbox=settings.sandbox_url,
        paced=settings.sandbox_pace,
        breaker=BreakerRules(
            failures=settings.circuit_failure_threshold,
            open_seconds=settings.circuit_reset_timeout_seconds,
        ),
    )


def _recorder(settings: Settings) -> ProvenanceLog:
    clock = SystemClock()
    return ProvenanceLog(
        settings.log_path,
        clock=clock,
        session_id=new_ulid(clock.now()),
        sandbox=settings.sandbox,
        rotate_bytes=settings.log_rotate_bytes,
        retention_days=settings.log_retention_days,
    )


def _keeper(settings: Settings, store: PaperStore) -> Keeper:
    clock = SystemClock()
    root = settings.store_root.absolute()
    # In the state folder, because its files come and go, and in the store's own folder
    # that would look like papers that do.
    name = hashlib.sha256(str(root).encode()).hexdigest()[:16]
    shelf = Shelf(root, clock=clock, sandbox=settings.sandbox, lock_seconds=LOCK_SECONDS)
    index = LibraryIndex(
        settings.state_dir / "library" / f"{name}.sqlite3", root / METADATA, read=shelf.read
    )
    return Keeper(store=store, index=index)


def _auditor(settings: Settings) -> AuditLog | AuditOff:
    if not settings.audit_enabled:
        return AuditOff()
    policy = AuditPolicy(
        include_request_body=settings.audit_include_request_body,
        rotate_bytes=settings.audit_max_bytes,
        retention_days=settings.audit_retention_days,
        sandbox=settings.sandbox,
    )
    mask = Masker(settings.secrets())
    return AuditLog(settings.audit_output_path, clock=SystemClock(), mask=mask, policy=policy)


def _source(kind: type[Provider], settings: Settings, network: Network) -> Source:
    """One source, with its provider only if it is on and configured."""
    info = kind.info
    options = settings.provider_options.get(info.name, {})
    missing = settings.missing_options.get(info.name, ())
    enabled = options.get("enabled", True) is not False
    usable = enabled and not missing
    headers = kind.headers(options) if usable else {}
    provider = kind(_upstream(info, network, headers), options) if usable else None
    return Source(
        info=info,
        provider=provider,
        enabled=enabled,
        missing=missing,
        agreements=tuple(one.env[0] for one in info.options if one.kind == "agreement"),
    )


def _upstream(info: ProviderInfo, network: Network, headers: Mapping[str, str]) -> Any:
    rate = info.rate
    own = Lane(
        name=info.name,
        starts=rate.starts,
        per_seconds=rate.per_seconds,
        at_once=rate.at_once,
        gap_seconds=rate.gap_seconds,
    )
    return network.upstream(
        base_url=info.base_url,
        policy=Policy(
            source=info.known_as,
            allowed_hosts=info.allowed_hosts,
            read_seconds=RECORD_SECONDS,
            total_seconds=3 * RECORD_SECONDS,
        ),
        lanes=(own, PAPERS) if info.paper_budget else (own,),
        headers=headers,
    )


def _config_fingerprint() -> str:
    """Changes when the config file does."""
    path = own_config_path()
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _configure_logging(settings: Settings) -> None:
    """Say things on stderr, where the protocol is not, and never a secret."""
    mask = Masker(settings.secrets())

    class Masked(logging.Formatter):
        """Formats a record, without secrets and without what a terminal would obey."""

        def format(self, record: logging.LogRecord) -> str:
            told = mask(super().format(record))
            return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in told)

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Masked("sourcewright: %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
