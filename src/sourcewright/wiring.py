"""Builds everything from the settings. The only module that knows all the parts."""

import hashlib
import logging
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sourcewright import __version__, manifest
from sourcewright.domain.calls import Progress
from sourcewright.domain.identifiers import Doi
from sourcewright.domain.ports import SystemClock
from sourcewright.logic.masking import Masker
from sourcewright.settings import Settings
from sourcewright.settings.process import own_config_path
from sourcewright.stores import audit, provenance
from sourcewright.stores.audit import AuditLog, AuditOff
from sourcewright.stores.audit_events import AuditPolicy
from sourcewright.stores.chain import timestamp
from sourcewright.stores.provenance import ProvenanceLog
from sourcewright.stores.ulids import new_ulid
from sourcewright.tools import Toolbox
from sourcewright.tools._pipeline import Pipeline
from sourcewright.tools._results import ToolResult

if TYPE_CHECKING:
    # Named for the types alone; the parts are imported where they are built.
    from sourcewright.domain.capabilities import DeliversPapers
    from sourcewright.net.client import Client
    from sourcewright.net.network import Network
    from sourcewright.providers._base import Provider
    from sourcewright.readers.pdf import PdfReader
    from sourcewright.services.curating import Curator
    from sourcewright.services.downloads import Downloads
    from sourcewright.services.examining import Finding
    from sourcewright.services.exporting import Exporter
    from sourcewright.services.keeping import Keeper
    from sourcewright.services.papers import Papers
    from sourcewright.services.resolving import Resolver
    from sourcewright.services.sources import Source, Sources
    from sourcewright.services.surveying import Survey
    from sourcewright.stores.papers import PaperStore

USER_AGENT = f"sourcewright/{__version__}"

LOCK_SECONDS = 5.0
"""How long a paper is waited for that another process is writing."""


def build(settings: Settings) -> "Application":
    """Everything, ready to be called. Nothing is opened before it is needed."""
    _configure_logging(settings)
    return Application(settings)


class Services:
    """Every part, built and imported when it is first used: a start is felt each time."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.clock = SystemClock()
        self.recorder = _recorder(settings)
        self.auditor = _auditor(settings)

    @cached_property
    def client(self) -> "Client":
        from sourcewright.net.client import Client

        return Client(
            user_agent=USER_AGENT,
            sandbox_url=self._settings.sandbox_url,
            allowed_origins=self._settings.allowed_origins,
        )

    @cached_property
    def network(self) -> "Network":
        return _network(self._settings, self.client)

    @cached_property
    def sources(self) -> "Sources":
        from sourcewright import providers
        from sourcewright.services.sources import Sources

        kinds = (kind for kind in providers.discover().values() if kind.info.role == "papers")
        return Sources(_source(kind, self._settings, self.network) for kind in kinds)

    @cached_property
    def mirrors(self) -> "tuple[DeliversPapers, ...]":
        """What the operator named and answers for, for the download tools alone."""
        from sourcewright.providers._building import connected_to_each
        from sourcewright.providers.scihub import SciHub

        options = self._settings.provider_options[SciHub.info.name]
        if not options["agreed"]:
            return ()
        return connected_to_each(SciHub, self.network, options, "mirrors")

    @cached_property
    def reader(self) -> "PdfReader":
        from sourcewright.readers.pdf import PdfReader

        return PdfReader()

    @cached_property
    def store(self) -> "PaperStore":
        from sourcewright.stores.papers import PaperStore

        settings = self._settings
        return PaperStore(settings.store_root, clock=self.clock, sandbox=settings.sandbox)

    @cached_property
    def keeper(self) -> "Keeper":
        return _keeper(self._settings, self.store)

    @cached_property
    def curator(self) -> "Curator":
        from sourcewright.services.curating import Curator

        return Curator(
            keeper=self.keeper, recorder=self.recorder, reader=self.reader, now=self._now
        )

    @cached_property
    def exporter(self) -> "Exporter":
        from sourcewright.services.exporting import Exporter

        return Exporter(self.store)

    @cached_property
    def resolver(self) -> "Resolver":
        from sourcewright.services.resolving import Resolver

        return Resolver(self.sources, self.recorder)

    @cached_property
    def survey(self) -> "Survey":
        from sourcewright.services.surveying import Survey

        return Survey(
            version=__version__,
            known=lambda: self.sources,
            store_root=self._settings.store_root,
            log_path=self._settings.log_path,
            audit_ok=self.auditor.is_ok,
            sandbox=self._settings.sandbox,
        )

    @cached_property
    def papers(self) -> "Papers":
        return _papers(self._settings, self)

    @cached_property
    def downloads(self) -> "Downloads":
        return _downloads(self._settings, self)

    async def has(self, doi: str) -> bool:
        """Whether the library has a paper."""
        return await self.store.find(Doi(doi)) is not None

    async def aclose(self) -> None:
        """Write what is queued, and let go of every file and connection that was opened."""
        async with AsyncExitStack() as last_to_first:
            for name in ("keeper", "store", "recorder", "auditor", "reader", "client", "network"):
                if name in vars(self):
                    last_to_first.push_async_callback(vars(self)[name].aclose)

    def _now(self) -> str:
        return timestamp(self.clock.now())


class Application:
    """The tools, and everything below them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.services = Services(settings)
        self._pipeline = Pipeline(
            specs=Toolbox(manifest.names(settings.toolsets)),
            research=self.services,
            auditor=self.services.auditor,
            clock=self.services.clock,
            meta={"sandbox": True} if settings.sandbox else {},
        )

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

    def sources(self) -> "tuple[Source, ...]":
        return tuple(self.services.sources)

    def keeper(self) -> "Keeper":
        """The library, for commands that no tool offers."""
        return self.services.keeper

    def curator(self) -> "Curator":
        """Changes the library on a user's word, which no tool may."""
        return self.services.curator

    def exporter(self) -> "Exporter":
        """Takes papers out of the library, for commands that write more than one call may."""
        return self.services.exporter

    def examine(self) -> "list[Finding]":
        """What is kept on this machine, and whether it is in order."""
        from sourcewright.services.examining import examine_folder, examine_log

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
        await self.services.aclose()


def _papers(settings: Settings, services: Services) -> "Papers":
    from sourcewright.logic.allowing import TRANSPARENT, oa_publisher_hosts
    from sourcewright.net.files import OpenCopies
    from sourcewright.services.fetching import Fetcher
    from sourcewright.services.graphing import Grapher
    from sourcewright.services.locating import Locator
    from sourcewright.services.papers import Papers
    from sourcewright.services.planning import Planner
    from sourcewright.services.repeating import Repeats

    hosts = oa_publisher_hosts(
        settings.additional_hosts,
        trust_academic=settings.trust_academic_repos,
        trust_registries=settings.trust_oa_registries,
    )
    copies = OpenCopies(services.network, hosts=hosts, passing=TRANSPARENT)
    return Papers(
        fetcher=Fetcher(
            resolver=services.resolver,
            locator=Locator(services.sources, copies, services.reader),
            keeper=services.keeper,
            recorder=services.recorder,
            now=lambda: timestamp(services.clock.now()),
        ),
        planner=Planner(
            sources=services.sources,
            store_root=settings.store_root,
            open_hosts=hosts,
            passing_hosts=TRANSPARENT,
            arxiv_hosts=services.sources.hosts_of("arxiv"),
        ),
        grapher=Grapher(services.sources, services.recorder, services.has),
        repeats=Repeats(services.clock, _config_fingerprint),
        recorder=services.recorder,
        sources=services.sources,
    )


def _downloads(settings: Settings, services: Services) -> "Downloads":
    from sourcewright.net.files import OpenCopies
    from sourcewright.net.pages import OpenPages
    from sourcewright.services.describing import Describer
    from sourcewright.services.downloading import Downloader
    from sourcewright.services.downloads import PAUSE_SECONDS, Downloads
    from sourcewright.services.locating import Locator
    from sourcewright.services.years import Years
    from sourcewright.stores.downloads import DownloadFolders

    # No list of hosts: what may be reached the guard decides, and what is kept the file's check.
    copies = OpenCopies(services.network, hosts=None)
    return Downloads(
        downloader=Downloader(
            resolver=services.resolver,
            locator=Locator(services.sources, copies, services.reader),
            mirrors=services.mirrors,
            years=Years(services.resolver, services.clock),
            reader=services.reader,
            recorder=services.recorder,
        ),
        describer=Describer(services.resolver, services.recorder),
        folders=DownloadFolders(
            cwd=settings.cwd,
            home=settings.home,
            allowed=settings.paper_allowed_dirs,
            default=settings.download_dir,
        ),
        recorder=services.recorder,
        sources=services.sources,
        pages=OpenPages(services.network),
        clock=services.clock,
        setup_problem=settings.download_problem,
        has_mirrors=bool(services.mirrors),
        pause_seconds=PAUSE_SECONDS if settings.sandbox_pace else 0.0,
    )


def _network(settings: Settings, client: "Client") -> "Network":
    from sourcewright.net.breaker import BreakerRules
    from sourcewright.net.network import Network
    from sourcewright.stores.pacing import SqliteLedger

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


def _keeper(settings: Settings, store: "PaperStore") -> "Keeper":
    from sourcewright.services.keeping import Keeper
    from sourcewright.stores.library import LibraryIndex
    from sourcewright.stores.shelf import METADATA, Shelf

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


def _source(kind: "type[Provider]", settings: Settings, network: "Network") -> "Source":
    """One source, with its provider only if it is on and configured."""
    from sourcewright.providers._building import connected
    from sourcewright.services.sources import Source

    info = kind.info
    options = settings.provider_options.get(info.name, {})
    missing = settings.missing_options.get(info.name, ())
    enabled = options.get("enabled", True) is not False
    usable = enabled and not missing
    return Source(
        info=info,
        provider=connected(kind, network, options) if usable else None,
        enabled=enabled,
        missing=missing,
        agreements=tuple(one.env[0] for one in info.options if one.kind == "agreement"),
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
