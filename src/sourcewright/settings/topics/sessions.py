"""Settings of research sessions."""

import re
from pathlib import Path

from sourcewright.settings import kinds
from sourcewright.settings.table import setting
from sourcewright.settings.topics.folders import app_folder

_MAX_SECONDS = 366 * 24 * 3600
ANONYMOUS = "anonymous"


def _read_lifetime(value: object) -> int:
    seconds = kinds.read_duration(value)
    if not 1 <= seconds <= _MAX_SECONDS:
        raise kinds.InvalidValue(f"must be from 1s to a year, got {kinds.echo(value)}")
    return seconds


def _read_user_id(value: object) -> str:
    text = kinds.read_text(value)
    if not re.fullmatch(r"[A-Za-z0-9._@-]{1,128}", text) or text == ANONYMOUS:
        raise kinds.InvalidValue(
            "must be 1 to 128 letters, digits or any of . _ @ -, and not anonymous, "
            f"got {kinds.echo(value)}"
        )
    return text


class SessionSettings:
    """How long research sessions live, how large they get, and whose they are."""

    _group = "Sessions"

    session_data_dir: Path = setting(
        "SESSION_DATA_DIR",
        kind=kinds.PATH,
        derive=lambda values: values["xdg_state_home"] / app_folder(values),
        default_words="$XDG_STATE_HOME/sourcewright",
        help="The folder of the research sessions, which are in `sessions.sqlite3` in it.",
    )
    session_ttl: int = setting(
        "SESSION_TTL",
        kind=kinds.Kind("duration, such as 90m or 4h", _read_lifetime),
        default=14_400,
        help="How long a research session is kept after its last use.",
    )
    session_max_steps: int = setting(
        "SESSION_MAX_STEPS",
        kind=kinds.number(at_least=1, at_most=10_000),
        default=200,
        help="Maximum number of steps of a research session.",
    )
    stdio_user_id: str | None = setting(
        "STDIO_USER_ID",
        kind=kinds.Kind("name", _read_user_id),
        help="The name of the user over stdio and at the terminal, to whom sessions, memory and analytics belong; if not set, sessions belong to one anonymous owner.",
    )
