"""Settings of the cache."""

from pathlib import Path

from sourcewright.settings import kinds
from sourcewright.settings.table import setting
from sourcewright.settings.topics.folders import app_folder


class CacheSettings:
    """Size, folder and encryption of the cache of source responses."""

    _group = "Cache"

    cache_enabled: bool = setting(
        "SOURCEWRIGHT_CACHE",
        kind=kinds.FLAG,
        default=True,
        help="Whether responses of sources are cached; false queries the source every time.",
    )
    cache_dir: Path = setting(
        "CACHE_DIR",
        kind=kinds.PATH,
        derive=lambda values: values["xdg_cache_home"] / app_folder(values),
        default_words="$XDG_CACHE_HOME/sourcewright",
        help="The cache folder. Its contents can be deleted at any time.",
    )
    cache_max_memory_mb: int = setting(
        "CACHE_MAX_MEMORY_MB",
        kind=kinds.number(at_least=0, at_most=1_048_576),
        default=64,
        help="Maximum size of the in-memory cache in megabytes; 0 disables it.",
    )
    cache_max_disk_mb: int = setting(
        "SOURCEWRIGHT_CACHE_MAX_DISK_MB",
        kind=kinds.number(at_least=0, at_most=1_048_576),
        default=256,
        help="Maximum size of the cache on disk in megabytes; 0 disables it.",
    )
    cache_encryption_key: str | None = setting(
        "CACHE_ENCRYPTION_KEY",
        kind=kinds.SEALING_KEY,
        help="If set, the cache, the research sessions and what is kept of users are encrypted on disk with this key (AES-256-GCM).",
    )
    key_file: Path = setting(
        "SOURCEWRIGHT_KEY_FILE",
        kind=kinds.PATH,
        derive=lambda values: values["xdg_data_home"] / app_folder(values) / "sealing.key",
        default_words="$XDG_DATA_HOME/sourcewright/sealing.key",
        help="The file of the key that encrypts the research sessions and what is kept of users if CACHE_ENCRYPTION_KEY is not set. It is made when something is kept for the first time; without it, that cannot be read again.",
    )
    redis_url: str | None = setting(
        "REDIS_URL",
        kind=kinds.SECRET,
        help="If set, the cache, the research sessions, what is kept of users, request limits and the rate limits of sources are in the Redis at this URL instead of files, so that several servers share them; needs CACHE_ENCRYPTION_KEY.",
    )
    cache_encryption_key_prev: str | None = setting(
        "CACHE_ENCRYPTION_KEY_PREV",
        kind=kinds.SEALING_KEY,
        help="The previous encryption key: entries encrypted with it can still be read, and are encrypted again with the current key.",
    )
