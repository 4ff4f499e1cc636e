"""Sources of settings, their precedence, and errors in the config file."""

import subprocess
import sys
from pathlib import Path

import pytest

from sourcewright.settings import Settings, SettingsError, config_path

NO_OPTIONS = {"options": [], "providers": []}


@pytest.fixture
def config(tmp_path):
    return tmp_path / "sourcewright" / "config.toml"


@pytest.fixture
def load(tmp_path, config):
    """Load settings with a config file of this content, and an environment."""

    def load(toml="", **environ):
        config.parent.mkdir(exist_ok=True)
        config.write_text(toml, "utf-8")
        environ = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), **environ}
        return Settings.load(environ, manifest=NO_OPTIONS)

    return load


@pytest.fixture
def problems(load):
    def problems(toml="", **environ):
        with pytest.raises(SettingsError) as caught:
            load(toml, **environ)

        return caught.value.problems

    return problems


def test_the_environment_wins_over_the_file_and_the_file_over_the_default(load):
    toml = 'LOG_LEVEL = "error"\nAUDIT_MAX_BYTES = 7\n'

    settings = load(toml, LOG_LEVEL="debug")

    assert settings.log_level == "debug"
    assert settings.audit_max_bytes == 7
    assert settings.circuit_failure_threshold == 5


def test_the_command_line_wins_over_the_environment(tmp_path):
    environ = {"HOME": str(tmp_path), "TOOLSETS": "web"}

    settings = Settings.load(environ, overrides={"TOOLSETS": ["papers"]}, manifest=NO_OPTIONS)

    assert settings.toolsets == ("papers",)
    assert ("TOOLSETS", "papers", "command line") in [row[:3] for row in settings.describe()]


def test_the_first_name_that_is_set_wins(load):
    both = load(SCIHUB_CLI_EMAIL="s@uni.edu", DOIGET_CONTACT_EMAIL="d@uni.edu")
    one = load(SCIHUB_CLI_EMAIL="s@uni.edu")

    assert both.contact_email == "d@uni.edu"
    assert one.contact_email == "s@uni.edu"


def test_another_name_in_the_environment_wins_over_the_first_name_in_the_file(load):
    settings = load('CONTACT_EMAIL = "file@uni.edu"', SCIHUB_CLI_EMAIL="env@uni.edu")

    assert settings.contact_email == "env@uni.edu"


@pytest.mark.parametrize("blank", ["", "  ", "${CONTACT_EMAIL}", "${user_config.email}"])
def test_blanks_and_placeholders_that_nobody_filled_in_count_as_not_set(load, blank):
    settings = load('CONTACT_EMAIL = "file@uni.edu"', CONTACT_EMAIL=blank, LOG_LEVEL=blank)

    assert settings.contact_email == "file@uni.edu"
    assert settings.log_level == "info"


def test_a_blank_first_name_leaves_the_word_to_the_second(load):
    assert load(CONTACT_EMAIL="", SCIHUB_CLI_EMAIL="s@uni.edu").contact_email == "s@uni.edu"


def test_the_file_takes_natural_types(load):
    settings = load("""
        AUDIT_ENABLED = false
        CIRCUIT_FAILURE_THRESHOLD = 9
        TOOLSETS = ["papers", "web"]
        SOURCEWRIGHT_ALLOWED_ORIGINS = "http://a:1, http://b:2"
        NO_COLOR = false
        DOIGET_STORE_ROOT = "~/p"
    """)

    assert settings.audit_enabled is False
    assert settings.circuit_failure_threshold == 9
    assert settings.toolsets == ("papers", "web")
    assert settings.allowed_origins == ("http://a:1", "http://b:2")
    assert settings.no_color is False
    assert settings.store_root == settings.home / "p"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("AUDIT_ENABLED = 1", "true or false"),
        ("CIRCUIT_FAILURE_THRESHOLD = true", "whole number"),
        ("CIRCUIT_FAILURE_THRESHOLD = 5.0", "whole number"),
        ("CONTACT_EMAIL = 5", "text"),
        ("CONTACT_EMAIL = {a = 1}", "text"),
        ("TOOLSETS = [1]", "list of strings"),
        ("TOOLSETS = []", "got none"),
        ("LOG_LEVEL = 1979-05-27", "text"),
        ('DOIGET_STORE_ROOT = "a\\u0000b"', "control characters"),
    ],
)
def test_a_wrong_type_in_the_file_is_an_error_with_its_line(problems, config, line, message):
    [problem] = problems(f"# a comment\n\n{line}\n")

    assert problem.setting == line.split(" ")[0]
    assert problem.where == f"{config}:3"
    assert message in problem.message


def test_an_unknown_name_in_the_file_is_an_error_that_suggests_the_nearest(problems, config):
    [problem] = problems('CONTACT_EMIAL = "a@uni.edu"')

    assert (problem.setting, problem.where) == ("CONTACT_EMIAL", f"{config}:1")
    assert "CONTACT_EMAIL" in problem.message


def test_a_name_like_no_other_gets_no_suggestion(problems):
    [problem] = problems("ZZZ = 1")

    assert "did you mean" not in problem.message


def test_a_section_in_the_file_is_explained(problems, config):
    [problem] = problems('\n[store]\nroot = "x"')

    assert (problem.setting, problem.where) == ("store", f"{config}:2")
    assert "flat" in problem.message


def test_two_values_for_one_setting_in_the_file_are_an_error(problems):
    [problem] = problems('CONTACT_EMAIL = "a@uni.edu"\nSCIHUB_CLI_EMAIL = "b@uni.edu"')

    assert problem.setting == "SCIHUB_CLI_EMAIL"
    assert "CONTACT_EMAIL" in problem.message


def test_the_same_value_under_two_names_is_no_contradiction(load):
    settings = load('CONTACT_EMAIL = "a@uni.edu"\nSCIHUB_CLI_EMAIL = "a@uni.edu"')

    assert settings.contact_email == "a@uni.edu"


@pytest.mark.parametrize("name", ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"])
def test_the_file_cannot_move_the_folders_of_the_system(problems, name):
    [problem] = problems(f'{name} = "/elsewhere"')

    assert problem.setting == name
    assert "only in the environment" in problem.message


@pytest.mark.parametrize(
    ("body", "more", "message"),
    [
        (b"CONTACT_EMAIL = \n", 0, "line 1"),
        (b"A = 1\nA = 2\n", 0, "line 2"),
        (b"\xff\xfe", 0, "utf-8"),
        (b"#", 1024 * 1024, "larger"),
        (b"A = [", 100_000, "deep"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error_that_names_it(tmp_path, body, more, message):
    file = tmp_path / "mine.toml"
    file.write_bytes(body + body[-1:] * more)

    with pytest.raises(SettingsError) as caught:
        Settings.load({"HOME": str(tmp_path)}, config=file, manifest=NO_OPTIONS)

    [problem] = caught.value.problems
    assert problem.where == str(file)
    assert message in problem.message


@pytest.mark.parametrize("name", ["absent.toml", "."])
def test_a_config_file_that_was_asked_for_has_to_be_one(tmp_path, name):
    with pytest.raises(SettingsError, match="config file"):
        Settings.load({"HOME": str(tmp_path)}, config=tmp_path / name, manifest=NO_OPTIONS)


def test_without_a_config_file_the_defaults_hold(tmp_path):
    assert Settings.load({"HOME": str(tmp_path)}, manifest=NO_OPTIONS).log_level == "info"


def test_an_error_about_a_file_cannot_act_on_a_terminal(problems):
    (problem,) = problems('"\\u001b[31mRED" = 1\n')

    assert str(problem).startswith(r"\x1b[31mRED (")


def test_an_unknown_name_with_our_prefix_is_an_error_that_suggests_the_nearest(problems):
    [problem] = problems(SOURCEWRIGHT_SANDBOX_URI="http://127.0.0.1:1")

    assert problem.setting == "SOURCEWRIGHT_SANDBOX_URI"
    assert "SOURCEWRIGHT_SANDBOX_URL" in problem.message


def test_other_names_in_the_environment_are_nobodys_business(load):
    assert load(DOIGET_SOMETHING="x", PATH="/bin").log_level == "info"


def test_an_unknown_name_on_the_command_line_is_an_error(tmp_path):
    with pytest.raises(SettingsError, match="STORE_ROOT"):
        Settings.load({"HOME": str(tmp_path)}, overrides={"STORE_ROOT": "x"}, manifest=NO_OPTIONS)


def test_all_that_is_wrong_is_said_at_once(problems):
    found = problems("NOPE = 1\nAUDIT_MAX_BYTES = -1\n", LOG_LEVEL="loud", SOURCEWRIGHT_X="1")

    assert {problem.setting for problem in found} == {
        "NOPE",
        "AUDIT_MAX_BYTES",
        "LOG_LEVEL",
        "SOURCEWRIGHT_X",
    }


def test_the_message_has_a_line_for_each_problem(tmp_path):
    environ = {"HOME": str(tmp_path), "LOG_LEVEL": "loud", "AUDIT_ENABLED": "perhaps"}

    with pytest.raises(SettingsError) as caught:
        Settings.load(environ, manifest=NO_OPTIONS)

    assert [line.split(" ")[0] for line in str(caught.value).splitlines()] == [
        "AUDIT_ENABLED",
        "LOG_LEVEL",
    ]


@pytest.mark.parametrize(
    ("environ", "path"),
    [
        ({"HOME": "/h"}, "/h/.config/sourcewright/config.toml"),
        ({"HOME": "/h", "XDG_CONFIG_HOME": "/c"}, "/c/sourcewright/config.toml"),
        ({"HOME": "/h", "XDG_CONFIG_HOME": ""}, "/h/.config/sourcewright/config.toml"),
    ],
)
def test_the_config_file_is_where_the_system_keeps_such_files(environ, path):
    assert config_path(environ) == Path(path)


def test_every_setting_says_where_its_value_came_from(load):
    settings = load("AUDIT_MAX_BYTES = 7", SCIHUB_CLI_EMAIL="s@uni.edu")

    rows = {row.name: (row.value, row.source) for row in settings.describe()}

    assert rows["CONTACT_EMAIL"] == ("s@uni.edu", "environment (SCIHUB_CLI_EMAIL)")
    assert rows["AUDIT_MAX_BYTES"] == ("7", "config file")
    assert rows["AUDIT_ENABLED"] == ("true", "default")
    assert all(row.help for row in settings.describe())


def test_a_process_reads_its_own_environment(tmp_path):
    """The one test of the one reader; every other test hands a mapping in."""
    program = (
        "from sourcewright.settings import Settings as S; print(S.from_environment().log_level)"
    )
    command = [sys.executable, "-c", program]

    done = subprocess.run(
        command,
        env={"HOME": str(tmp_path), "LOG_LEVEL": "error"},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )

    assert done.stdout.strip() == "error"


def test_reading_settings_loads_nothing_heavy(tmp_path):
    """It is on the path of every start."""
    program = (
        "import sys; from sourcewright.settings import Settings; Settings.from_environment();"
        "print(sorted({name.partition('.')[0] for name in sys.modules}"
        " & {'pydantic', 'mcp', 'httpx2', 'anyio', 'asyncio', 'click', 'rich', 'tomllib',"
        " 'dataclasses', 'inspect', 'difflib'}))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )

    assert done.stdout.strip() == "[]"
