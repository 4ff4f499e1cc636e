"""Settings of the paper library, of downloads and of the provenance log."""

from pathlib import Path

from sourcewright.settings import kinds
from sourcewright.settings.table import Values, setting
from sourcewright.settings.topics.folders import LIBRARY, app_folder, library_folder


def _library(values: Values) -> Path:
    if values["sandbox_url"]:
        return Path(values["xdg_data_home"], app_folder(values), LIBRARY)
    return library_folder(cwd=values["cwd"], data_home=values["xdg_data_home"])


class PaperSettings:
    """Where papers are stored, which hosts they may come from, and the provenance log."""

    _group = "Papers and provenance"

    store_root: Path = setting(
        "DOIGET_STORE_ROOT",
        kind=kinds.PATH,
        derive=_library,
        default_words="$XDG_DATA_HOME/sourcewright/papers",
        help="The library: the folder of the fetched papers. Unless this is set, an existing library in `./papers` of the working directory is preferred to the default.",
    )
    paper_allowed_dirs: tuple[Path, ...] = setting(
        "PAPER_ALLOWED_DIRS",
        kind=kinds.FOLDERS,
        default=(),
        help="Folders where downloads may be saved, in addition to the working directory and your home folder.",
    )
    log_path: Path = setting(
        "DOIGET_LOG_PATH",
        kind=kinds.PATH,
        derive=lambda values: values["xdg_state_home"] / app_folder(values) / "provenance.jsonl",
        default_words="$XDG_STATE_HOME/sourcewright/provenance.jsonl",
        help="The provenance log: which source was queried for what, and its response.",
    )
    log_retention_days: int = setting(
        "DOIGET_LOG_RETENTION_DAYS",
        kind=kinds.number(at_least=0, at_most=36500),
        default=90,
        help="How many days a rotated provenance log is kept; 0 keeps it forever.",
    )
    log_rotate_bytes: int = setting(
        "DOIGET_LOG_ROTATE_BYTES",
        kind=kinds.number(at_least=0),
        default=104_857_600,
        help="The size at which the provenance log is rotated; 0 never rotates it.",
    )
    additional_hosts: tuple[str, ...] = setting(
        "SOURCEWRIGHT_ADDITIONAL_HOSTS",
        kind=kinds.HOST_PATTERNS,
        default=(),
        help="Hosts that open copies may come from in addition to the known publishers, such as repo.example.org or *.example.org.",
    )
    trust_academic_repos: bool = setting(
        "SOURCEWRIGHT_TRUST_ACADEMIC_REPOS",
        kind=kinds.FLAG,
        default=False,
        help="Whether open copies may come from the domains that several countries reserve for universities, such as *.ac.uk.",
    )
    trust_oa_registries: bool = setting(
        "SOURCEWRIGHT_TRUST_OA_REGISTRIES",
        kind=kinds.FLAG,
        default=False,
        help="Whether open copies may come from SciELO, Zenodo, OSF, HAL, CORE and J-STAGE.",
    )
