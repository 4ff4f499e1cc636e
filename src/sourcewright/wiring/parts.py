"""Wiring of the shared parts: network, stores, logs, readers."""

import hashlib
from typing import TYPE_CHECKING, Protocol

from sourcewright.domain.ports import Clock, RendersPages, SystemClock
from sourcewright.logic.text.redaction import Masker
from sourcewright.settings import Settings
from sourcewright.settings.topics.folders import APP_FOLDER
from sourcewright.stores.files import restrict_to_owner
from sourcewright.stores.logs.audit import AuditLog, AuditPolicy, NoAuditLog
from sourcewright.stores.logs.provenance import ProvenanceLog
from sourcewright.stores.ulids import new_ulid

if TYPE_CHECKING:
    # Imported for type checking only; each part is imported where it is built.
    from sourcewright.domain.capabilities import DeliversPapers
    from sourcewright.domain.ports import KeyValueStore
    from sourcewright.logic.papers.notices import Integrity
    from sourcewright.net.browsing import Visitor
    from sourcewright.net.client import Client
    from sourcewright.net.network import Network
    from sourcewright.providers._base import Provider
    from sourcewright.readers.documents import DocumentReader
    from sourcewright.readers.first_pages import PdfReader
    from sourcewright.services.artifacts import Artifacts
    from sourcewright.services.cache import OperationCache
    from sourcewright.services.library.catalogue import Library
    from sourcewright.services.papers.notice_check import NoticeCheck
    from sourcewright.services.papers.resolution import Resolver
    from sourcewright.services.providers import Source, Sources
    from sourcewright.stores.papers.store import PaperStore


class SharedParts(Protocol):
    """The shared parts that services are built from; each is built on first use."""

    @property
    def clock(self) -> Clock: ...
    @property
    def recorder(self) -> ProvenanceLog: ...
    @property
    def network(self) -> "Network": ...
    @property
    def sources(self) -> "Sources": ...
    @property
    def mirrors(self) -> "tuple[DeliversPapers, ...]": ...
    @property
    def reader(self) -> "PdfReader": ...
    @property
    def keeper(self) -> "Library": ...
    @property
    def cache(self) -> "OperationCache": ...
    @property
    def artifacts(self) -> "Artifacts": ...
    @property
    def documents(self) -> "DocumentReader": ...
    @property
    def browser(self) -> RendersPages: ...
    @property
    def resolver(self) -> "Resolver": ...
    @property
    def notice_check(self) -> "NoticeCheck": ...

    async def recall(self, doi: str) -> "Integrity | None": ...


_MEGABYTE = 1024 * 1024

CACHE_LOCK_SECONDS = 1.0
"""How long to wait for a locked cache; after that it is quicker to do without."""

LOCK_SECONDS = 5.0
"""How long to wait for a paper that another process is writing."""


def visitor(settings: Settings, network: "Network") -> "Visitor":
    from sourcewright.net.browsing import SizeLimits, Visitor

    sizes = SizeLimits(
        page_bytes=settings.max_html_bytes, document_bytes=settings.max_document_bytes
    )
    return Visitor(network, hosts=settings.allowed_domains or None, sizes=sizes)


def network(settings: Settings, client: "Client") -> "Network":
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


def own_addresses(settings: Settings) -> dict[str, str]:
    """Return the base URLs of self-hosted sources, by source; only that source may use its URL."""
    address = settings.provider_options.get("searxng", {}).get("url")
    return {"searxng": address} if address else {}


def keep_folders_private(settings: Settings) -> None:
    """Make our own folders private, as earlier versions did not; leave the user's folders alone."""
    for folder in (settings.state_dir, settings.cache_path.parent):
        if folder.name == APP_FOLDER:
            restrict_to_owner(folder)


def recorder(settings: Settings) -> ProvenanceLog:
    clock = SystemClock()
    return ProvenanceLog(
        settings.log_path,
        clock=clock,
        session_id=new_ulid(clock.now()),
        mask=Masker(settings.secrets()).keys,
        sandbox=settings.sandbox,
        rotate_bytes=settings.log_rotate_bytes,
        retention_days=settings.log_retention_days,
    )


def keeper(settings: Settings, store: "PaperStore") -> "Library":
    from sourcewright.services.library.catalogue import Library
    from sourcewright.stores.index import LibraryIndex
    from sourcewright.stores.papers.shelf import METADATA, PaperFolder

    clock = SystemClock()
    root = settings.store_root.absolute()
    # In the state folder: the index file is created and deleted at will, and inside the store
    # that would look as if papers came and went.
    name = hashlib.sha256(str(root).encode()).hexdigest()[:16]
    shelf = PaperFolder(root, clock=clock, sandbox=settings.sandbox, lock_seconds=LOCK_SECONDS)
    index = LibraryIndex(
        settings.state_dir / "library" / f"{name}.sqlite3", root / METADATA, read=shelf.read
    )
    return Library(store=store, index=index, clock=clock)


def auditor(settings: Settings) -> AuditLog | NoAuditLog:
    if not settings.audit_enabled:
        return NoAuditLog()
    policy = AuditPolicy(
        include_request_body=settings.audit_include_request_body,
        rotate_bytes=settings.audit_max_bytes,
        retention_days=settings.audit_retention_days,
        wait_for_disk=settings.audit_sync,
        sandbox=settings.sandbox,
    )
    mask = Masker(settings.secrets())
    return AuditLog(settings.audit_output_path, clock=SystemClock(), mask=mask, policy=policy)


def source(kind: "type[Provider]", settings: Settings, network: "Network") -> "Source":
    """Build one source; it has a provider only if enabled and configured."""
    from sourcewright.providers._building import build_provider
    from sourcewright.services.providers import Source

    info = kind.info
    options = settings.provider_options.get(info.name, {})
    missing = settings.missing_options.get(info.name, ())
    enabled = options.get("enabled", True) is not False
    usable = enabled and not missing
    return Source(
        info=info,
        kind=kind,
        provider=build_provider(kind, network, options) if usable else None,
        enabled=enabled,
        switch=next((one.env[0] for one in info.options if one.name == "enabled"), None),
        missing=missing,
        agreements=tuple(one.env[0] for one in info.options if one.kind == "agreement"),
    )


def answers(settings: Settings, clock: Clock) -> "KeyValueStore | None":
    """Build the store behind the cache: memory in front of disk; None if caching is off."""
    from sourcewright.stores.keyvalue.disk import DiskStore
    from sourcewright.stores.keyvalue.layered import LayeredStore
    from sourcewright.stores.keyvalue.memory import MemoryStore
    from sourcewright.stores.keyvalue.sealed import EncryptedStore

    if not settings.cache_enabled:
        return None
    memory = MemoryStore(clock=clock, max_bytes=settings.cache_max_memory_mb * _MEGABYTE)
    if not settings.cache_max_disk_mb:
        return memory
    max_bytes_on_disk = settings.cache_max_disk_mb * _MEGABYTE
    disk: KeyValueStore = DiskStore(
        settings.cache_path,
        clock=clock,
        max_bytes=max_bytes_on_disk,
        lock_seconds=CACHE_LOCK_SECONDS,
    )
    if settings.cache_encryption_key:
        disk = EncryptedStore(
            disk,
            clock=clock,
            key=settings.cache_encryption_key,
            previous_key=settings.cache_encryption_key_prev,
        )
    return LayeredStore(memory, disk, clock=clock)


def cache(settings: Settings, answers: "KeyValueStore | None", clock: Clock) -> "OperationCache":
    from sourcewright.services.cache import OperationCache

    return OperationCache(answers, scope=settings.sandbox_url or "internet", clock=clock)
