"""Settings of the audit log."""

from pathlib import Path

from sourcewright.settings import kinds
from sourcewright.settings.table import setting
from sourcewright.settings.topics.folders import app_folder


class AuditSettings:
    """What the audit log records about tool calls."""

    _group = "Audit"

    audit_enabled: bool = setting(
        "AUDIT_ENABLED",
        kind=kinds.FLAG,
        default=True,
        help="Whether every tool call is recorded in the audit log.",
    )
    audit_output_path: Path = setting(
        "AUDIT_OUTPUT_PATH",
        kind=kinds.PATH,
        derive=lambda values: values["xdg_state_home"] / app_folder(values) / "audit.jsonl",
        default_words="$XDG_STATE_HOME/sourcewright/audit.jsonl",
        help="The audit log: which tool was called by whom, and the outcome.",
    )
    audit_include_request_body: bool = setting(
        "AUDIT_INCLUDE_REQUEST_BODY",
        kind=kinds.FLAG,
        default=False,
        help="Whether audit events include the request arguments, with secrets masked.",
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
        help="How many days a rotated audit log is kept; values outside 180 to 3650 are adjusted to that range, and 0 keeps it forever.",
    )
    audit_sync: bool = setting(
        "SOURCEWRIGHT_AUDIT_SYNC",
        kind=kinds.FLAG,
        default=False,
        help=(
            "Whether a response waits until its audit event is safe from a power failure (fsync). If false, it waits only until the event is safe from the end of the process."
        ),
    )
