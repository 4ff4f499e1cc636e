"""Wiring of the shared parts: network, stores, logs, readers."""

from contextlib import AsyncExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from sourcewright import manifest
from sourcewright._about import __version__
from sourcewright.base.clocks import Clock, SystemClock
from sourcewright.base.text.redaction import Masker
from sourcewright.domain.document_ports import (
    RendersPages,
)
from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.tenants import Caller, current_caller
from sourcewright.services.instance.statistics import ServerStatistics
from sourcewright.settings import Settings
from sourcewright.settings.topics.folders import APP_FOLDER
from sourcewright.settings.topics.sessions import ANONYMOUS
from sourcewright.stores.files import restrict_to_owner
from sourcewright.stores.logs.audit import AuditLog, AuditPolicy, NoAuditLog
from sourcewright.stores.logs.chain import timestamp
from sourcewright.stores.logs.provenance import ProvenanceLog
from sourcewright.stores.ulids import new_ulid
from sourcewright.wiring.machine import Machine

if TYPE_CHECKING:
    # Imported for type checking only; each part is imported where it is built.
    from sourcewright.domain.cache_usage import CacheStore
    from sourcewright.domain.capabilities import Role
    from sourcewright.domain.ports import TakesTurns
    from sourcewright.domain.users.credentials import CredentialStore
    from sourcewright.domain.users.quotas import QuotaLedger
    from sourcewright.net.http.client import Client
    from sourcewright.net.network import Network
    from sourcewright.net.rate_ledger import RateLedger
    from sourcewright.providers._base import Provider
    from sourcewright.reading.documents import DocumentReader
    from sourcewright.reading.first_pages import PdfReader
    from sourcewright.reading.ocr import Ocr
    from sourcewright.services.artifacts import Artifacts
    from sourcewright.services.cache import OperationCache
    from sourcewright.services.instance.api_keys import ApiKeys
    from sourcewright.services.listed_notices import ListedNotices
    from sourcewright.services.providers import Source, Sources
    from sourcewright.stores.catalogues.retractions import RetractionFile
    from sourcewright.stores.inventory import Inventory
    from sourcewright.stores.keyvalue.key_file import KeyFile
    from sourcewright.stores.keyvalue.redis_server import RedisServer
    from sourcewright.stores.keyvalue.sealed_records import SealedRecords

DEFAULT_TENANT = "default"
"""The tenant of stdio, of the terminal, and of tokens that name none."""
_SANDBOX_RETRACTIONS = "retractions-sandbox.sqlite"
USER_AGENT = f"sourcewright/{__version__}"


class Closable(Protocol):
    """Holds files, connections or processes until it is closed."""

    async def aclose(self) -> None: ...


C = TypeVar("C", bound=Closable)


class SharedParts:
    """What several packages of services are built from; each part is built on first use."""

    def __init__(self, settings: Settings, machine: Machine) -> None:
        keep_folders_private(settings)
        self.settings = settings
        self.clock = machine.clock
        user = settings.stdio_user_id or ANONYMOUS
        self._only_caller = Caller(owner=Owner(tenant=DEFAULT_TENANT, user=user))
        self._interpreter = machine.interpreter
        self.statistics = ServerStatistics(self.clock, lambda: self.owner().tenant)
        self._opened: list[Closable] = []
        self.recorder = self.closed_at_the_end(recorder(settings, self.clock))
        self.auditor = self.closed_at_the_end(auditor(settings, self.clock))

    def closed_at_the_end(self, part: C) -> C:
        """Return the part, which is closed before everything that was built before it."""
        self._opened.append(part)
        return part

    async def aclose(self) -> None:
        """Write what is queued, and close every file and connection that was opened."""
        async with AsyncExitStack() as last_to_first:
            for part in self._opened:
                last_to_first.push_async_callback(part.aclose)

    def timestamp(self) -> str:
        return timestamp(self.clock.now())

    @cached_property
    def client(self) -> "Client":
        from sourcewright.net.http.backend import Route
        from sourcewright.net.http.client import Client

        client = Client(
            user_agent=USER_AGENT,
            sandbox_url=self.settings.sandbox_url,
            allowed_origins=self.settings.allowed_origins,
            own_addresses=own_addresses(self.settings),
            route=Route(proxy_url=self.settings.proxy),
        )
        return self.closed_at_the_end(client)

    @cached_property
    def network(self) -> "Network":
        return self.closed_at_the_end(network(self.settings, self.client))

    @cached_property
    def pdf_reader(self) -> "PdfReader":
        from sourcewright.reading.first_pages import PdfReader

        return self.closed_at_the_end(PdfReader(interpreter=self._interpreter))

    @cached_property
    def documents(self) -> "DocumentReader":
        from sourcewright.reading.documents import DocumentReader

        return self.closed_at_the_end(DocumentReader(interpreter=self._interpreter, ocr=self.ocr))

    @cached_property
    def ocr(self) -> "Ocr":
        from sourcewright.reading.ocr import Ocr

        return Ocr(self.settings.tesseract_path or "", self.settings.ocr_languages)

    @cached_property
    def browser(self) -> RendersPages:
        from sourcewright.wiring.browser import browser

        return self.closed_at_the_end(browser(self.settings, self.client))

    @cached_property
    def answers(self) -> "CacheStore | None":
        """The store behind the cache; None if caching is off."""
        from sourcewright.wiring.storage.cache import answers

        store = answers(self.settings, self.clock, self.redis)
        return self.closed_at_the_end(store) if store else None

    @cached_property
    def redis(self) -> "RedisServer | None":
        """The Redis that several servers share; None if there is none."""
        from sourcewright.stores.keyvalue.redis_server import RedisServer

        url, path = self.settings.redis_url, self.settings.redis_identity_path
        server = RedisServer(url, self.clock, identity_path=path) if url else None
        return self.closed_at_the_end(server) if server else None

    @cached_property
    def inventory(self) -> "Inventory":
        from sourcewright.stores.inventory import Inventory

        return Inventory(self.settings.inventory_path, self.clock)

    @cached_property
    def key_file(self) -> "KeyFile":
        from sourcewright.stores.keyvalue.key_file import KeyFile

        return KeyFile(self.settings.key_file, self.inventory)

    def loss_note(self, name: str, path: Path, *, keep_seconds: float) -> str | None:
        """Say what happened to what was kept in a file, as long as it would still be there."""
        since = self.clock.now() - keep_seconds
        losses = self.inventory.losses(path, since=since)
        return f"{losses[-1].sentence(name)}." if losses else None

    def records(self, path: Path) -> "SealedRecords":
        """Build a store of encrypted records in a file or in Redis."""
        from sourcewright.stores.keyvalue.records import RecordDatabase
        from sourcewright.stores.keyvalue.redis_records import RedisRecords
        from sourcewright.stores.keyvalue.sealed import Sealing
        from sourcewright.stores.keyvalue.sealed_records import SealedRecords

        key, previous = self.settings.cache_encryption_key, self.settings.cache_encryption_key_prev
        if self.redis is not None:
            sealing = Sealing(key=key, previous_key=previous)
            return SealedRecords(RedisRecords(self.redis, clock=self.clock), sealing)
        sealing = Sealing(key=key, previous_key=previous, key_file=self.key_file)
        database = RecordDatabase(path, clock=self.clock, inventory=self.inventory)
        return SealedRecords(database, sealing, accepts_plain=True)

    @cached_property
    def cache(self) -> "OperationCache":
        return self.operation_cache(self.scope)

    def operation_cache(self, scope: str) -> "OperationCache":
        """Build a cache over the store whose values nobody else uses."""
        from sourcewright.services.cache import OperationCache

        answers, clock, turns = self.answers, self.clock, self.turns
        cache = (
            OperationCache(answers, scope=scope, clock=clock, turns=turns, at_hand=answers.peek)
            if answers
            else OperationCache(None, scope=scope, clock=clock)
        )
        return self.closed_at_the_end(cache)

    @cached_property
    def turns(self) -> "TakesTurns | None":
        """Lets one of several servers run an operation; None if there is only this one."""
        from sourcewright.stores.keyvalue.redis_turns import RedisTurns

        return RedisTurns(self.redis, self.clock) if self.redis else None

    @cached_property
    def retraction_list(self) -> "RetractionFile":
        """The local list. One that was read in a sandbox never replaces the user's own."""
        from sourcewright.stores.catalogues.retractions import RetractionFile

        own = self.settings.retractions_path
        if not self.settings.sandbox:
            return RetractionFile(own)
        return RetractionFile(self.settings.state_dir / _SANDBOX_RETRACTIONS, otherwise=own)

    @cached_property
    def listed_notices(self) -> "ListedNotices":
        from sourcewright.services.listed_notices import ListedNotices

        return ListedNotices(retractions=self.retraction_list)

    @cached_property
    def artifacts(self) -> "Artifacts":
        from sourcewright.services.artifacts import Artifacts

        return Artifacts(self.answers, scope=self.scope, owner=self.owner, clock=self.clock)

    @cached_property
    def credentials(self) -> "CredentialStore":
        """API keys and revoked tokens of the HTTP server, or of all servers at one Redis."""
        from sourcewright.stores.credentials.database import CredentialDatabase
        from sourcewright.stores.credentials.records import RecordCredentials

        path = self.settings.credentials_path
        database = CredentialDatabase(path, clock=self.clock, inventory=self.inventory)
        if self.redis is None:
            return self.closed_at_the_end(database)
        earlier = database if database.exists() else None
        records = self.records(path)
        return self.closed_at_the_end(
            RecordCredentials(records, clock=self.clock, earlier=earlier)
        )

    @cached_property
    def api_keys(self) -> "ApiKeys":
        from sourcewright.services.instance.api_keys import ApiKeys

        return ApiKeys(store=self.credentials, clock=self.clock, auditor=self.auditor)

    @cached_property
    def quotas(self) -> "QuotaLedger":
        """Counts the requests to the HTTP server."""
        from sourcewright.stores.quotas.fallback import SharedQuotas
        from sourcewright.stores.quotas.ledger import SqliteQuotas
        from sourcewright.stores.quotas.redis_ledger import RedisQuotas

        local = SqliteQuotas(self.settings.quotas_path)
        if self.redis is None:
            return self.closed_at_the_end(local)
        return self.closed_at_the_end(SharedQuotas(RedisQuotas(self.redis), local, self.clock))

    def sources_in(self, role: "Role") -> "Sources":
        """Build the sources that have a role, configured or not."""
        from sourcewright import providers
        from sourcewright.services.providers import Sources

        kinds = providers.load(manifest.providers(role)).values()
        return Sources(source(kind, role, self.settings, self.network) for kind in kinds)

    def caller(self) -> Caller:
        """Who makes the current call: on stdio and at the terminal there is one user."""
        return current_caller.get() or self._only_caller

    def owner(self) -> Owner:
        """Whose data the current call may use."""
        return self.caller().owner

    @property
    def scope(self) -> str:
        """Separates answers of the simulated world from those of the internet."""
        return self.settings.sandbox_url or "internet"


def network(settings: Settings, client: "Client") -> "Network":
    from sourcewright.net.network import Network
    from sourcewright.net.sources.breaker import BreakerRules

    return Network(
        client=client,
        ledger=rate_ledger(settings),
        sandbox=settings.sandbox_url,
        paced=settings.sandbox_pace,
        breaker=BreakerRules(
            failures=settings.circuit_failure_threshold,
            open_seconds=settings.circuit_reset_timeout_seconds,
        ),
    )


def rate_ledger(settings: Settings) -> "RateLedger":
    """Build the ledger of the rate limits of sources: for this machine, or all with one Redis."""
    from sourcewright.stores.pacing import SqliteLedger

    local = SqliteLedger(settings.pacing_path)
    if not settings.redis_url:
        return local
    from sourcewright.stores.pacing.fallback import SharedLedger
    from sourcewright.stores.pacing.redis_ledger import RedisLedger

    clock = SystemClock()  # the network's own
    return SharedLedger(RedisLedger(settings.redis_url, clock), local, clock)


def own_addresses(settings: Settings) -> dict[str, str]:
    """Return the base URLs of self-hosted sources, by source; only that source may use its URL."""
    from sourcewright.net.fetch.identity_provider import SOURCE

    searxng = settings.provider_options.get("searxng", {}).get("url")
    addresses = {"searxng": searxng, SOURCE: settings.oauth_issuer_url}
    return {source: address for source, address in addresses.items() if address}


def keep_folders_private(settings: Settings) -> None:
    """Make our own folders private, as earlier versions did not; leave the user's folders alone."""
    for folder in (settings.state_dir, settings.cache_path.parent):
        # That of a sandbox is inside our folder.
        for own in (folder, folder.parent):
            if own.name == APP_FOLDER:
                restrict_to_owner(own)


def recorder(settings: Settings, clock: Clock) -> ProvenanceLog:
    return ProvenanceLog(
        settings.log_path,
        clock=clock,
        session_id=new_ulid(clock.now()),
        mask=Masker(settings.secrets()).keys,
        sandbox=settings.sandbox,
        rotate_bytes=settings.log_rotate_bytes,
        retention_days=settings.log_retention_days,
    )


def auditor(settings: Settings, clock: Clock) -> AuditLog | NoAuditLog:
    return audit_log(settings, clock) if settings.audit_enabled else NoAuditLog()


def audit_log(settings: Settings, clock: Clock) -> AuditLog:
    policy = AuditPolicy(
        include_request_body=settings.audit_include_request_body,
        rotate_bytes=settings.audit_max_bytes,
        retention_days=settings.audit_retention_days,
        wait_for_disk=settings.audit_sync,
        sandbox=settings.sandbox,
        anonymous=ANONYMOUS,
    )
    mask = Masker(settings.secrets())
    return AuditLog(settings.audit_output_path, clock=clock, mask=mask, policy=policy)


def source(
    kind: "type[Provider]", role: "Role", settings: Settings, network: "Network"
) -> "Source":
    """Build one source for a role; it has a provider only if enabled and configured."""
    from sourcewright.providers._factory import build_provider
    from sourcewright.services.providers import Source

    info = kind.info_for(role)
    options = settings.provider_options.get(info.name, {})
    missing = settings.missing_options.get(info.name, ())
    switch = next((one for one in info.options if one.name == "enabled"), None)
    enabled = switch is None or options.get(switch.name) is not False
    return Source(
        info=info,
        kind=kind,
        provider=build_provider(kind, role, network, options) if enabled and not missing else None,
        enabled=enabled,
        switch=switch.env[0] if switch else None,
        missing=missing,
        withheld=settings.withheld_addresses.get(info.name) if missing else None,
        agreements=tuple(one.env[0] for one in info.options if one.kind == "agreement"),
    )
