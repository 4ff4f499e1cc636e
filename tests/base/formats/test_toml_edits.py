"""A TOML file is changed in one value; a form that is not understood is refused."""

import tomllib

import pytest

from sourcewright.base.formats.toml_edits import parse_toml, set_toml_value

TABLE = ("mcp_servers", "ours")
CODEX = """\
# my settings
model = "large" # the best

[mcp_servers.theirs]
command = "npx" # theirs
args = [
  "-y", # yes
]

[mcp_servers.ours] # our server
# where it is
command = "/old/path"
args = [
  "serve", # a comment inside goes with the value
]
startup_timeout_sec = 20

[mcp_servers.ours.env]
KEY = "secret" # mine

[[profiles]]
name = "a"
"""


def test_a_value_is_replaced_and_all_else_stays():
    changed = set_toml_value(CODEX, (*TABLE, "command"), "/new/path")

    assert changed == CODEX.replace("/old/path", "/new/path")


def test_a_value_over_several_lines_is_replaced_as_a_whole():
    changed = set_toml_value(CODEX, (*TABLE, "args"), ["serve", "--sandbox"])

    assert tomllib.loads(changed)["mcp_servers"]["ours"]["args"] == ["serve", "--sandbox"]
    assert (
        '# where it is\ncommand = "/old/path"\nargs = ["serve", "--sandbox"]\nstartup' in changed
    )


def test_a_key_is_added_at_the_end_of_its_table():
    changed = set_toml_value(CODEX, (*TABLE, "env", "OTHER"), 'a "quoted" value\x7f')

    assert (
        'KEY = "secret" # mine\nOTHER = "a \\"quoted\\" value\\u007f"\n\n[[profiles]]' in changed
    )
    assert tomllib.loads(changed)["mcp_servers"]["ours"]["env"]["OTHER"] == 'a "quoted" value\x7f'


@pytest.mark.parametrize("text", ["", "a = 1", "a = 1\n", "[x]\r\nb = 2\r\n", "\ufeffa = 1\n"])
def test_a_table_that_is_missing_is_added_at_the_end(text):
    changed = set_toml_value(text, (*TABLE, "command"), "x")

    assert changed.startswith(text)
    assert parse_toml(changed) == {**parse_toml(text), "mcp_servers": {"ours": {"command": "x"}}}
    assert ("\r\n[mcp_servers.ours]\r\n" in changed) == ("\r\n" in text)


def test_an_inline_table_is_written_anew():
    text = '[mcp_servers.ours]\nenv = { A = "1", "B C" = "2" }\n'

    changed = set_toml_value(text, (*TABLE, "env", "D"), "3")

    assert changed == '[mcp_servers.ours]\nenv = { A = "1", "B C" = "2", D = "3" }\n'


def test_setting_the_same_value_again_changes_nothing():
    assert set_toml_value(CODEX, (*TABLE, "command"), "/old/path") == CODEX


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = {theirs = {command = 'x'}}\n",
        'text = """\n[mcp_servers.ours]\n"""\n[mcp_servers]\nours = 1\n',
        "mcp_servers = 1\n",
        "[mcp_servers.ours\n",
        "a = 1\na = 2\n",
        "a = " + "[" * 10_000,
    ],
)
def test_what_cannot_be_changed_safely_is_refused(text):
    with pytest.raises(ValueError):
        set_toml_value(text, (*TABLE, "command"), "x")


def test_a_header_inside_a_text_is_not_taken_for_a_table():
    text = 'note = """\n[mcp_servers.ours]\n"""\n'

    with pytest.raises(ValueError, match="cannot be changed"):
        set_toml_value(text, (*TABLE, "command"), "x")
