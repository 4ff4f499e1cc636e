"""Wiring of the service that knows every store."""

from pathlib import Path

from sourcewright.base.clocks import Clock
from sourcewright.services.instance.storage import KnownStore, Storage
from sourcewright.settings import Settings
from sourcewright.stores.catalogues.retractions import RETRACTIONS as LIST_OWNER
from sourcewright.stores.credentials.database import CREDENTIALS, CREDENTIALS_ID
from sourcewright.stores.index.database import INDEX
from sourcewright.stores.inventory import Inventory
from sourcewright.stores.keyvalue.database import RECORDS, RECORDS_ID, VALUES
from sourcewright.stores.keyvalue.key_file import KeyFile
from sourcewright.stores.keyvalue.records import examine_records
from sourcewright.stores.pacing.ledger import PACING
from sourcewright.stores.quotas.ledger import LIMITS
from sourcewright.stores.sqlite import SqliteFormat

_SESSIONS, _TEAMS = "sessions", "memory"
_RECOUNTED = "it is set aside and begun anew when it is next used, and only counts are lost"
_NOBODY = "nobody is let in until the file is restored from a back-up; `sourcewright storage accept credentials` begins with none, after which every API key is unknown and revoked tokens are valid again until they expire"


def build_storage(
    settings: Settings, clock: Clock, *, inventory: Inventory, key_file: KeyFile, index: Path
) -> Storage:
    is_sealed_by_file = not settings.redis_url and not settings.cache_encryption_key
    # With Redis, its own identity tells whether it was emptied.
    records = () if settings.redis_url else _records(settings)
    return Storage(
        stores=(*records, _credentials(settings), *_derived(settings, index)),
        inventory=inventory,
        key_file=key_file if is_sealed_by_file else None,
        sealed=(_SESSIONS, _TEAMS),
        clock=clock,
    )


def _records(settings: Settings) -> tuple[KnownStore, ...]:
    owner = _owner(RECORDS)
    return (
        KnownStore(
            name=_SESSIONS,
            title="research sessions",
            path=settings.sessions_path,
            owner=owner,
            identity=RECORDS_ID,
            keep_seconds=settings.session_ttl,
            contents=examine_records,
        ),
        KnownStore(
            name=_TEAMS,
            title="memory and workspaces",
            path=settings.teams_path,
            owner=owner,
            identity=RECORDS_ID,
            keep_seconds=max(settings.memory_retention, settings.workspace_ttl),
            contents=examine_records,
        ),
    )


def _credentials(settings: Settings) -> KnownStore:
    return KnownStore(
        name="credentials",
        title="API keys and revoked tokens",
        path=settings.credentials_path,
        owner=_owner(CREDENTIALS),
        identity=CREDENTIALS_ID,
        advice=_NOBODY,
    )


def _derived(settings: Settings, index: Path) -> tuple[KnownStore, ...]:
    """The stores whose contents can be had again."""
    return (
        KnownStore(
            name="retractions",
            title="retraction list",
            path=settings.retractions_path,
            owner=LIST_OWNER,
            advice="read the list again: `sourcewright retractions update`",
        ),
        KnownStore(
            name="index",
            title="library index",
            path=index,
            owner=_owner(INDEX),
            rebuilt="it is written again from the library when it is next used",
        ),
        KnownStore(
            name="cache",
            title="cache",
            path=settings.cache_path,
            owner=_owner(VALUES),
            rebuilt="it is begun anew when it is next used, and sources are asked again",
        ),
        KnownStore(
            name="request-limits",
            title="counts of requests",
            path=settings.quotas_path,
            owner=_owner(LIMITS),
            rebuilt=_RECOUNTED,
        ),
        KnownStore(
            name="pacing",
            title="rate limits of sources",
            path=settings.pacing_path,
            owner=_owner(PACING),
            rebuilt=_RECOUNTED,
        ),
    )


def _owner(form: SqliteFormat) -> tuple[int, int]:
    return form.application_id, form.version
