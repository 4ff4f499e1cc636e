"""Settings of the audit log."""

from pathlib import Path

from sourcewright.settings import kinds
from sourcewright.settings.table import setting
from sourcewright.settings.topics.folders import APP_FOLDER


class AuditSettings:
    """What the audit log records about tool calls."""

    _group = "Audit"

    audit_enabled: bool = setting(
        "AUDIT_ENABLED",
        kind=kinds.FLAG,
        default=True,
        help="Whether every call of a tool leaves an event in the audit log.",
    )
    audit_output_path: Path = setting(
        "AUDIT_OUTPUT_PATH",
        kind=kinds.PATH,
        derive=lambda values: values["xdg_state_home"] / APP_FOLDER / "audit.jsonl",
        default_words="$XDG_STATE_HOME/sourcewright/audit.jsonl",
        help="The audit log: who called which tool, and how it went.",
    )
    audit_include_request_body: bool = setting(
        "AUDIT_INCLUDE_REQUEST_BODY",
        kind=kinds.FLAG,
        default=False,
        help="Whether audit events also carry what was asked, with secrets masked.",
    )
    audit_max_bytes: int = setting(
        "AUDIT_MAX_BYTES",
        kind=kinds.number(at_least=0),
        default=104_857_600,
        help="The size at which the audit log is rotated; 0 never rotates it.",
    )
    audit_retention_days: int = setting(
        "AUDIT_RETENTION_DAYS",
        kind=kinds.number(at_least=0, at_most=3650, clamp_from=180),
        default=180,
        help="How many days a rotated audit log is kept, moved into 180 to 3650; 0 keeps it for good.",
    )
    audit_sync: bool = setting(
        "SOURCEWRIGHT_AUDIT_SYNC",
        kind=kinds.FLAG,
        default=False,
        help=(
            "Whether an answer waits until its audit event would survive a loss of power. "
            "Without it, it waits until the event would survive the end of the process."
        ),
    )
