"""Valid values of each setting, and the error for any other."""

from pathlib import Path

import pytest

from sourcewright.settings import TOOLSETS, Settings, SettingsError

NO_OPTIONS = {"options": [], "providers": []}
HOME = "/home/ada"


def load(**environ):
    return Settings.load({"HOME": HOME, **environ}, manifest=NO_OPTIONS, cwd=Path("/tmp"))


def problems(**environ):
    with pytest.raises(SettingsError) as caught:
        load(**environ)

    return caught.value.problems


@pytest.mark.parametrize("word", ["true", "1", "yes", "on", "TRUE", " On "])
def test_a_flag_is_true_in_every_usual_spelling(word):
    assert load(AUDIT_INCLUDE_REQUEST_BODY=word).audit_include_request_body is True


@pytest.mark.parametrize("word", ["false", "0", "no", "off", "False"])
def test_a_flag_is_false_in_every_usual_spelling(word):
    assert load(AUDIT_ENABLED=word).audit_enabled is False


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("AUDIT_ENABLED", "maybe", "true or false"),
        ("AUDIT_ENABLED", "2", "true or false"),
        ("CIRCUIT_FAILURE_THRESHOLD", "five", "whole number"),
        ("CIRCUIT_FAILURE_THRESHOLD", "1_0", "whole number"),
        ("CIRCUIT_FAILURE_THRESHOLD", "\N{ARABIC-INDIC DIGIT FIVE}", "whole number"),
        ("CIRCUIT_FAILURE_THRESHOLD", "9" * 5000, "whole number"),
        ("CIRCUIT_FAILURE_THRESHOLD", "0", "at least 1"),
        ("CIRCUIT_RESET_TIMEOUT_SECONDS", "1.5", "whole number"),
        ("SEARCH_FUSION", "maybe", "a whole number from 1 to 20, on or off, got 'maybe'"),
        ("SEARCH_FUSION", "21", "a whole number from 1 to 20, on or off"),
        ("DOIGET_LOG_RETENTION_DAYS", "-1", "at least 0"),
        ("AUDIT_RETENTION_DAYS", "-5", "at least 0"),
        ("LOG_LEVEL", "loud", "one of debug, info"),
        ("TOOLSETS", "papers,paper", "'paper'"),
        ("TOOLSETS", ",", "got none"),
        ("DOIGET_STORE_ROOT", "~bob/papers", "the home folder of another user"),
        ("DOIGET_STORE_ROOT", "a\x1bb", "control characters"),
        ("DOIGET_STORE_ROOT", "a\x9bb", "control characters"),
        ("DOIGET_STORE_ROOT", "a\udcffb", "UTF-8"),
        ("XDG_STATE_HOME", "state", "absolute path"),
        ("HOME", "here", "absolute path"),
        ("SOURCEWRIGHT_ALLOWED_ORIGINS", "localhost:8888", "http:// or https://"),
        ("SOURCEWRIGHT_ALLOWED_ORIGINS", "ftp://localhost", "http:// or https://"),
        ("SOURCEWRIGHT_ALLOWED_ORIGINS", "http://localhost/search", "without a path"),
        ("SOURCEWRIGHT_ALLOWED_ORIGINS", "http://*.local", "one host"),
        ("SOURCEWRIGHT_ALLOWED_ORIGINS", "http://host:99999", "URL"),
        ("SOURCEWRIGHT_ALLOWED_ORIGINS", "http://host:0", "valid port"),
        ("SOURCEWRIGHT_ALLOWED_ORIGINS", "http://höst", "ASCII"),
        ("SOURCEWRIGHT_ALLOWED_ORIGINS", "http://[::1", "URL"),
    ],
)
def test_a_value_that_a_setting_cannot_take_is_an_error_that_names_it(name, value, message):
    [problem] = problems(**{name: value})

    assert problem.setting == name
    assert problem.where == "environment"
    assert message in problem.message
    assert len(problem.message) < 250


@pytest.mark.parametrize(
    "address",
    [
        "me",
        "me@",
        "@host.org",
        "me@localhost",
        "me@host.org\r\nX-Evil: 1",
        "me you@host.org",
        "me@host..org",
        "me@-host.org",
        "<me@host.org>",
        "me@hôst.org",
        "a" * 65 + "@host.org",
        "me@" + "a." * 130 + "org",
    ],
)
def test_an_address_that_no_source_would_accept_is_sent_to_none(address):
    settings = load(CONTACT_EMAIL=address)

    [problem] = settings.address_problems
    assert problem.setting == "CONTACT_EMAIL"
    assert settings.contact_email is None


@pytest.mark.parametrize("address", ["ada@uni.edu", "a.b+c@sub.uni.ac.uk", "x@xn--bcher-kva.de"])
def test_an_ordinary_address_is_accepted(address):
    assert load(CONTACT_EMAIL=address).contact_email == address


def test_nobody_is_given_an_address_they_did_not_set():
    assert load().contact_email is None


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        ("http://127.8.9.1:81", "http://127.8.9.1:81"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("HTTP://LOCALHOST:8080", "http://127.0.0.1:8080"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
    ],
)
def test_a_sandbox_is_a_loopback_origin(given, kept):
    settings = load(SOURCEWRIGHT_SANDBOX_URL=given)

    assert settings.sandbox_url == kept
    assert settings.sandbox


@pytest.mark.promise("guard.sandbox-is-loopback-only")
@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1:8080",
        "http://example.org",
        "http://127.0.0.1.example.org",
        "http://localhost.example.org",
        "https://127.0.0.1:8080",
        "http://user:pass@127.0.0.1:8080",
        "http://127.0.0.1:8080/world",
        "http://127.0.0.1:8080?x",
        "http://127.0.0.1:8080#x",
        "http://0.0.0.0:8080",
        "http://[::ffff:10.0.0.1]:1",
        "http://2130706433:80",
        "http://0x7f.1",
        "http://127.1",
        "file:///etc/passwd",
        "127.0.0.1:8080",
    ],
)
def test_a_sandbox_anywhere_else_is_refused(url):
    [problem] = problems(SOURCEWRIGHT_SANDBOX_URL=url)

    assert problem.setting == "SOURCEWRIGHT_SANDBOX_URL"
    assert "pass@" not in problem.message


@pytest.mark.parametrize("value", ["0", "1"])
def test_the_pace_cannot_be_touched_without_a_sandbox(value):
    [problem] = problems(SOURCEWRIGHT_SANDBOX_PACE=value)

    assert problem.setting == "SOURCEWRIGHT_SANDBOX_PACE"
    assert "SOURCEWRIGHT_SANDBOX_URL" in problem.message


def test_a_wrong_sandbox_address_is_one_problem_and_not_two():
    [problem] = problems(SOURCEWRIGHT_SANDBOX_PACE="0", SOURCEWRIGHT_SANDBOX_URL="http://10.0.0.1")

    assert problem.setting == "SOURCEWRIGHT_SANDBOX_URL"


def test_allowed_origins_are_kept_in_one_spelling():
    settings = load(
        SOURCEWRIGHT_ALLOWED_ORIGINS="HTTP://LocalHost:80/, https://Search.Lan:8443,"
        " http://[FD00::1]:8888, http://localhost"
    )

    assert settings.allowed_origins == (
        "http://localhost",
        "https://search.lan:8443",
        "http://[fd00::1]:8888",
    )


def test_opening_every_private_address_stops_the_start_and_names_the_other_way():
    [problem] = problems(ALLOW_PRIVATE_IPS="true")

    assert "SOURCEWRIGHT_ALLOWED_ORIGINS" in problem.message


def test_refusing_private_addresses_is_what_we_do_anyway():
    assert load(ALLOW_PRIVATE_IPS="false").allow_private_ips is False


def test_all_toolsets_are_offered_unless_some_are_named():
    assert load().toolsets == TOOLSETS
    assert load(TOOLSETS="Web, papers,web").toolsets == ("papers", "web")


@pytest.mark.parametrize(
    ("days", "kept"), [("0", 0), ("1", 180), ("180", 180), ("365", 365), ("99999", 3650)]
)
def test_audit_logs_are_kept_between_half_a_year_and_ten_years_or_for_good(days, kept):
    assert load(AUDIT_RETENTION_DAYS=days).audit_retention_days == kept


@pytest.mark.parametrize("value", ["1", "0", "false", "anything"])
def test_no_color_counts_whatever_it_says(value):
    assert load(NO_COLOR=value).no_color is True


def test_the_defaults_are_the_published_ones():
    settings = load()

    assert settings.store_root == Path(HOME, ".local/share/sourcewright/papers")
    assert settings.log_path == Path(HOME, ".local/state/sourcewright/provenance.jsonl")
    assert settings.log_retention_days == 90
    assert settings.log_rotate_bytes == 100 * 1024 * 1024
    assert settings.audit_enabled is True
    assert settings.audit_output_path == Path(HOME, ".local/state/sourcewright/audit.jsonl")
    assert settings.audit_include_request_body is False
    assert settings.audit_max_bytes == 100 * 1024 * 1024
    assert settings.audit_retention_days == 180
    assert settings.circuit_failure_threshold == 5
    assert settings.circuit_reset_timeout_seconds == 60
    assert settings.log_level == "info"
    assert settings.no_color is False
    assert settings.sandbox is False
    assert settings.sandbox_pace is True


def test_a_tilde_is_the_home_of_these_settings():
    assert load(DOIGET_STORE_ROOT="~/papers").store_root == Path(HOME, "papers")


def test_a_relative_path_starts_at_the_working_folder():
    assert load(DOIGET_LOG_PATH="logs/p.jsonl").log_path == Path("/tmp/logs/p.jsonl")


def library_in(cwd: Path, **environ: str) -> tuple[Path, str]:
    """The library of a process that was started in a folder, and why it is that one."""
    environ = {"HOME": HOME, "XDG_DATA_HOME": "/data", **environ}
    settings = Settings.load(environ, manifest=NO_OPTIONS, cwd=cwd)
    return settings.store_root, settings.store_root_origin


@pytest.mark.parametrize("cwd", [Path("/"), Path("/nowhere-that-exists"), Path("/tmp")])
def test_the_library_is_the_same_in_every_folder(cwd):
    assert library_in(cwd) == (
        Path("/data/sourcewright/papers"),
        "the default, used from every folder",
    )


def test_a_folder_that_has_a_library_of_its_own_goes_on_using_it(tmp_path):
    (tmp_path / "papers" / ".metadata").mkdir(parents=True)

    assert library_in(tmp_path) == (tmp_path / "papers", "found in the working directory")


def test_a_folder_called_papers_that_is_no_library_is_left_alone(tmp_path):
    (tmp_path / "papers").mkdir()

    assert library_in(tmp_path)[0] == Path("/data/sourcewright/papers")


def test_a_library_that_is_set_comes_before_one_that_is_found(tmp_path):
    (tmp_path / "papers" / ".metadata").mkdir(parents=True)

    found = library_in(tmp_path, DOIGET_STORE_ROOT="/elsewhere")

    assert found == (Path("/elsewhere"), "DOIGET_STORE_ROOT, set in the environment")


def test_the_pacing_ledger_is_part_of_the_state():
    settings = load(XDG_STATE_HOME="/state")

    assert settings.state_dir == Path("/state/sourcewright")
    assert settings.pacing_path == Path("/state/sourcewright/pacing.sqlite3")


def test_settings_cannot_be_changed():
    settings = load()

    with pytest.raises(AttributeError, match="frozen"):
        settings.log_level = "debug"
