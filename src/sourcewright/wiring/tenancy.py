"""Tenants: each has services of its own, over one network, one cache and one audit log."""

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sourcewright.domain.document_ports import RendersPages
from sourcewright.stores.files import make_folder
from sourcewright.wiring.parts import DEFAULT_TENANT, SharedParts, recorder
from sourcewright.wiring.services import Services

if TYPE_CHECKING:
    # Imported for type checking only; each part is imported where it is built.
    from sourcewright.domain.cache_usage import CacheStore
    from sourcewright.domain.ports import TakesTurns
    from sourcewright.domain.users.credentials import CredentialStore
    from sourcewright.net.http.client import Client
    from sourcewright.net.network import Network
    from sourcewright.reading.documents import DocumentReader
    from sourcewright.reading.first_pages import PdfReader
    from sourcewright.reading.ocr import Ocr
    from sourcewright.services.artifacts import Artifacts
    from sourcewright.services.cache import OperationCache
    from sourcewright.services.listed_notices import ListedNotices
    from sourcewright.stores.catalogues.retractions import RetractionFile
    from sourcewright.stores.keyvalue.redis_server import RedisServer

_MAX_TENANTS = 100
"""Tenants whose services are kept ready; those of others are closed and built again on demand."""


def tenant_folder(base: Path, tenant: str) -> Path:
    """Return the folder of a tenant; its name says nothing, and cannot be chosen."""
    return base / hashlib.sha256(tenant.encode()).hexdigest()[:32]


class TenantParts(SharedParts):
    """Parts of one tenant: its own folders and provenance log, everything else shared."""

    def __init__(self, shared: SharedParts, tenant: str, *, kept_in: Path | None = None) -> None:
        """Build them for a tenant, or for the one whose folder this is."""
        folder = kept_in or tenant_folder(shared.settings.tenants_dir, tenant)
        make_folder(folder)
        self.settings = shared.settings.for_tenant(folder)
        self.clock = shared.clock
        self.auditor = shared.auditor
        self.statistics = shared.statistics
        self._opened = []
        self._shared = shared
        self._tenant = tenant
        self.recorder = self.closed_at_the_end(recorder(self.settings, self.clock))

    @cached_property
    def client(self) -> "Client":
        return self._shared.client

    @cached_property
    def network(self) -> "Network":
        return self._shared.network

    @cached_property
    def pdf_reader(self) -> "PdfReader":
        return self._shared.pdf_reader

    @cached_property
    def documents(self) -> "DocumentReader":
        return self._shared.documents

    @cached_property
    def ocr(self) -> "Ocr":
        return self._shared.ocr

    @cached_property
    def browser(self) -> RendersPages:
        return self._shared.browser

    @cached_property
    def answers(self) -> "CacheStore | None":
        return self._shared.answers

    @cached_property
    def redis(self) -> "RedisServer | None":
        return self._shared.redis

    @cached_property
    def turns(self) -> "TakesTurns | None":
        return self._shared.turns

    @cached_property
    def artifacts(self) -> "Artifacts":
        return self._shared.artifacts

    @cached_property
    def retraction_list(self) -> "RetractionFile":
        return self._shared.retraction_list

    @cached_property
    def listed_notices(self) -> "ListedNotices":
        return self._shared.listed_notices

    @cached_property
    def credentials(self) -> "CredentialStore":
        return self._shared.credentials

    @cached_property
    def cache(self) -> "OperationCache":
        if self.settings.cache_isolation == "shared":
            return self._shared.cache
        return self.operation_cache(f"{self.scope} {self._tenant}")


def kept_tenants(shared: SharedParts) -> list[TenantParts]:
    """The parts of every tenant that has a folder; nobody can tell its name."""
    base = shared.settings.tenants_dir
    folders = sorted(one for one in base.iterdir() if one.is_dir()) if base.is_dir() else []
    return [TenantParts(shared, "", kept_in=folder) for folder in folders]


class Tenancy:
    """Finds the services of the tenant that makes the current call."""

    def __init__(self, services: Services) -> None:
        self._default = services
        self._tenants: OrderedDict[str, Services] = OrderedDict()
        self._calls: Counter[str] = Counter()

    def services(self) -> Services:
        """Return the services of the current tenant; those of the operator's own for `default`."""
        tenant = self._default.parts.owner().tenant
        if tenant == DEFAULT_TENANT:
            return self._default
        if tenant not in self._tenants:
            self._tenants[tenant] = Services(TenantParts(self._default.parts, tenant))
        self._tenants.move_to_end(tenant)
        return self._tenants[tenant]

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Keep the services of the current tenant open inside."""
        tenant = self._default.parts.owner().tenant
        self._calls[tenant] += 1
        try:
            yield
        finally:
            self._calls[tenant] -= 1
            if not self._calls[tenant]:
                del self._calls[tenant]

    def calls_in_flight(self) -> dict[str, int]:
        """Return how many calls of each tenant are being answered."""
        return dict(self._calls)

    async def trim(self) -> None:
        """Close the services of tenants that have not called for the longest time."""
        while len(self._tenants) > _MAX_TENANTS:
            # Chosen anew each time: while one closes, others may be called or closed.
            idle = next((tenant for tenant in self._tenants if tenant not in self._calls), None)
            if idle is None:
                return
            await self._tenants.pop(idle).parts.aclose()

    async def aclose(self) -> None:
        """Close everything that tenants have opened."""
        for services in self._tenants.values():
            await services.parts.aclose()
        self._tenants.clear()
