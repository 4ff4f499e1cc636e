"""`setup` enters the server in a client's configuration, and keeps what else is there."""

import json
import stat
import subprocess
import sys
import tomllib
from pathlib import Path, PurePosixPath

import pytest

from sourcewright.base.formats.json_comments import parse_json
from sourcewright.cli.clients.catalogue import CLIENTS, config_file
from sourcewright.cli.clients.launch import Process, launch_command

COMMAND = [sys.executable, "-m", "sourcewright", "serve"]
OWN = {
    "claude-desktop": {"theme": "dark", "mcpServers": {"theirs": {"command": "x"}}},
    "claude-code": {"numStartups": 3, "projects": {"/p": {"mcpServers": {}}}},
}
HELLO = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    '"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}\n'
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    '{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'
)


def usual_file(client: str, home: Path) -> Path:
    return config_file(CLIENTS[client], "linux", home, {})


def entry_in(client: str, text: str) -> dict[str, object]:
    about = CLIENTS[client]
    tables = tomllib.loads(text) if about.format == "toml" else parse_json(text, comments=True)
    entry = tables[about.key]["sourcewright"]
    if about.form == "opencode":
        command, *arguments = entry["command"]
        return {"command": command, "args": arguments, "env": entry.get("environment")}
    return entry


def backups_beside(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.*.bak"))


@pytest.mark.parametrize("client", CLIENTS)
def test_the_entry_that_is_written_starts_a_server_with_tools(client, cli, tmp_path, environment):
    done = cli("setup", client, "--env", "TOOLSETS=papers")
    path = usual_file(client, tmp_path)
    entry = entry_in(client, path.read_text(encoding="utf-8"))

    served = subprocess.run(
        [entry["command"], *entry["args"]],
        env={**environment, **entry["env"]},
        input=HELLO,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )

    assert done.returncode == 0, done.stderr
    assert f"created {path}" in done.stdout
    assert Path(entry["command"]).is_absolute()
    answers = [json.loads(line) for line in served.stdout.splitlines()]
    [listed] = [one["result"]["tools"] for one in answers if one["id"] == 2]
    assert "doiget_resolve_paper" in {tool["name"] for tool in listed}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("client", CLIENTS)
def test_a_second_run_changes_nothing(client, cli, tmp_path):
    cli("setup", client)
    path = usual_file(client, tmp_path)
    before = path.stat()

    done = cli("setup", client)
    after = path.stat()

    assert done.returncode == 0
    assert "is set up already" in done.stdout
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert backups_beside(path) == []


@pytest.mark.parametrize("client", OWN)
def test_what_else_is_in_the_file_is_kept_and_backed_up(client, cli, tmp_path):
    path = usual_file(client, tmp_path)
    path.parent.mkdir(parents=True, exist_ok=True)
    old = json.dumps(OWN[client], indent=2)
    path.write_text(old, encoding="utf-8")
    path.chmod(0o640)

    done = cli("setup", client)

    new = json.loads(path.read_text(encoding="utf-8"))
    ours = new["mcpServers"].pop("sourcewright")
    assert [ours["command"], *ours["args"]] == COMMAND
    assert new == {**OWN[client], "mcpServers": OWN[client].get("mcpServers", {})}
    [backup] = backups_beside(path)
    assert backup.read_text(encoding="utf-8") == old
    assert f"back-up {backup}" in done.stdout
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(backup.stat().st_mode) == 0o640


def test_comments_of_an_editor_stay(cli, tmp_path):
    path = usual_file("zed", tmp_path)
    path.parent.mkdir(parents=True)
    path.write_text('// mine\n{\n  "vim": true, // always\n}\n', encoding="utf-8")

    cli("setup", "zed")

    text = path.read_text(encoding="utf-8")
    assert text.startswith('// mine\n{\n  "vim": true, // always\n  "context_servers": {\n')
    assert parse_json(text, comments=True)["vim"] is True


@pytest.mark.parametrize("client", ["cursor", "codex"])
def test_keys_and_options_of_an_older_entry_are_kept(client, cli, tmp_path):
    cli("setup", client, "--env", "EXA_API_KEY=first", "--env", "TOOLSETS=papers")

    cli("setup", client, "--env", "TOOLSETS=web", "--toolset", "web")

    path = usual_file(client, tmp_path)
    entry = entry_in(client, path.read_text(encoding="utf-8"))
    assert entry["env"] == {"EXA_API_KEY": "first", "TOOLSETS": "web"}
    assert entry["args"][-3:] == ["serve", "--toolset", "web"]
    assert len(backups_beside(path)) == 1


def test_each_change_has_a_back_up_of_its_own(cli, tmp_path):
    for toolset in ("papers", "web", "trust", "papers"):
        cli("setup", "gemini", "--toolset", toolset)

    kept = [
        one.read_text(encoding="utf-8") for one in backups_beside(usual_file("gemini", tmp_path))
    ]
    assert len(set(kept)) == 3


@pytest.mark.parametrize(
    ("client", "text", "reason"),
    [
        ("claude-desktop", '{"mcpServers": {},}', "line 1"),
        ("claude-desktop", "// a comment\n{}", "line 1"),
        ("vscode", '{"servers": [1]}', "servers is not an object"),
        ("zed", "[]", "the file is not an object"),
        ("codex", "[mcp_servers.x\n", "line 1"),
        ("gemini", b"\xff\xfe{", "it is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_parsed_is_named_and_left_alone(client, text, reason, cli, tmp_path):
    path = usual_file(client, tmp_path)
    path.parent.mkdir(parents=True, exist_ok=True)
    old = text if isinstance(text, bytes) else text.encode()
    path.write_bytes(old)

    done = cli("setup", client)

    assert done.returncode == 4
    assert f"{path} was not changed" in done.stderr
    assert reason in done.stderr
    assert f"sourcewright setup {client} --print" in done.stderr
    assert path.read_bytes() == old
    assert [one.name for one in path.parent.iterdir() if one.is_file()] == [path.name]


def test_a_folder_in_place_of_the_file_is_named(cli, tmp_path):
    usual_file("cursor", tmp_path).mkdir(parents=True)

    done = cli("setup", "cursor")

    assert done.returncode == 4
    assert "was not changed" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("client", CLIENTS)
def test_printing_shows_the_entry_and_writes_no_file(client, cli, tmp_path):
    before = set(tmp_path.rglob("*"))

    done = cli("setup", client, "--print", "--name", "sourcewright")

    assert done.returncode == 0
    entry = entry_in(client, done.stdout)
    assert [entry["command"], *entry["args"]] == COMMAND
    assert str(usual_file(client, tmp_path)) in done.stderr
    assert {one for one in tmp_path.rglob("*") if one.is_file()} <= before


def test_a_link_stays_a_link_and_the_file_behind_it_is_changed(cli, tmp_path):
    real = tmp_path / "dotfiles" / "mcp.json"
    real.parent.mkdir()
    real.write_text("{}", encoding="utf-8")
    link = usual_file("cursor", tmp_path)
    link.parent.mkdir()
    link.symlink_to(real)

    cli("setup", "cursor")

    assert link.is_symlink()
    assert "sourcewright" in real.read_text(encoding="utf-8")


def test_a_file_elsewhere_and_another_name_can_be_chosen(cli, tmp_path):
    cli("setup", "vscode", "--file", ".vscode/mcp.json", "--name", "papers")

    written = json.loads((tmp_path / ".vscode" / "mcp.json").read_text(encoding="utf-8"))
    assert written["servers"]["papers"]["type"] == "stdio"
    assert not usual_file("vscode", tmp_path).exists()


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("CONTACT_EMAIL", "is not NAME=VALUE"),
        ("SOURCEWRIGHT_NONE=1", "no setting SOURCEWRIGHT_NONE"),
        ("TOOLSETS=none", "TOOLSETS"),
        ("CONTACT_EMAIL=you@university.edu", "placeholder"),
    ],
)
def test_a_setting_with_which_the_server_would_not_start_is_refused(given, reason, cli, tmp_path):
    done = cli("setup", "cursor", "--env", given)

    assert done.returncode == 2
    assert reason in done.stderr
    assert not usual_file("cursor", tmp_path).exists()


HOME = Path("/home/you")
ROAMING = "/home/you/AppData/Roaming"
MAC = "/home/you/Library/Application Support"
CLINE = "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"


@pytest.mark.parametrize(
    ("client", "linux", "darwin", "win32"),
    [
        (
            "claude-desktop",
            "/home/you/.config/Claude/claude_desktop_config.json",
            f"{MAC}/Claude/claude_desktop_config.json",
            f"{ROAMING}/Claude/claude_desktop_config.json",
        ),
        (
            "claude-code",
            "/home/you/.claude.json",
            "/home/you/.claude.json",
            "/home/you/.claude.json",
        ),
        (
            "cursor",
            "/home/you/.cursor/mcp.json",
            "/home/you/.cursor/mcp.json",
            "/home/you/.cursor/mcp.json",
        ),
        (
            "vscode",
            "/home/you/.config/Code/User/mcp.json",
            f"{MAC}/Code/User/mcp.json",
            f"{ROAMING}/Code/User/mcp.json",
        ),
        (
            "zed",
            "/home/you/.config/zed/settings.json",
            "/home/you/.config/zed/settings.json",
            f"{ROAMING}/Zed/settings.json",
        ),
        (
            "codex",
            "/home/you/.codex/config.toml",
            "/home/you/.codex/config.toml",
            "/home/you/.codex/config.toml",
        ),
        (
            "gemini",
            "/home/you/.gemini/settings.json",
            "/home/you/.gemini/settings.json",
            "/home/you/.gemini/settings.json",
        ),
        (
            "windsurf",
            "/home/you/.codeium/windsurf/mcp_config.json",
            "/home/you/.codeium/windsurf/mcp_config.json",
            "/home/you/.codeium/windsurf/mcp_config.json",
        ),
        (
            "cline",
            f"/home/you/.config/{CLINE}",
            f"{MAC}/{CLINE}",
            f"{ROAMING}/{CLINE}",
        ),
        (
            "lm-studio",
            "/home/you/.lmstudio/mcp.json",
            "/home/you/.lmstudio/mcp.json",
            "/home/you/.lmstudio/mcp.json",
        ),
        (
            "opencode",
            "/home/you/.config/opencode/opencode.json",
            "/home/you/.config/opencode/opencode.json",
            "/home/you/.config/opencode/opencode.json",
        ),
        (
            "jetbrains",
            "/home/you/.junie/mcp/mcp.json",
            "/home/you/.junie/mcp/mcp.json",
            "/home/you/.junie/mcp/mcp.json",
        ),
        (
            "continue",
            "/home/you/.continue/mcpServers/sourcewright.json",
            "/home/you/.continue/mcpServers/sourcewright.json",
            "/home/you/.continue/mcpServers/sourcewright.json",
        ),
    ],
)
def test_each_client_keeps_its_file_where_its_documentation_says(client, linux, darwin, win32):
    places = {
        system: config_file(CLIENTS[client], system, HOME, {})
        for system in ("linux", "darwin", "win32")
    }

    assert places == {"linux": Path(linux), "darwin": Path(darwin), "win32": Path(win32)}


@pytest.mark.parametrize(
    ("client", "variable", "place"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", "/x/.claude.json"),
        ("codex", "CODEX_HOME", "/x/config.toml"),
        ("vscode", "XDG_CONFIG_HOME", "/x/Code/User/mcp.json"),
        ("opencode", "XDG_CONFIG_HOME", "/x/opencode/opencode.json"),
    ],
)
def test_variables_of_a_client_move_its_file(client, variable, place):
    assert config_file(CLIENTS[client], "linux", HOME, {variable: "/x"}) == Path(place)


def test_a_relative_folder_of_settings_is_ignored():
    place = config_file(CLIENTS["zed"], "linux", HOME, {"XDG_CONFIG_HOME": "relative"})

    assert place == Path("/home/you/.config/zed/settings.json")


def test_the_command_is_the_one_that_will_still_be_there(tmp_path):
    script = tmp_path / "bin" / "sourcewright"
    script.parent.mkdir()
    script.write_text("#!", encoding="utf-8")
    facts = {"interpreter": "/venv/bin/python", "prefix": "/venv", "uvx": "/usr/bin/uvx"}
    cached = {**facts, "prefix": "/home/you/.cache/uv/archive-v0/x1"}

    def launched(script, facts, **more):
        return launch_command(Process(script=str(script), **facts, **more))

    assert launched(script, facts) == (str(script),)
    assert launched("-m", facts) == ("/venv/bin/python", "-m", "sourcewright")
    assert launched(script, cached) == ("/usr/bin/uvx", "sourcewright")
    assert launched(script, cached, origin="file:///x.whl") == (
        *("/usr/bin/uvx", "--from", "file:///x.whl", "sourcewright"),
    )
    assert PurePosixPath(launched(script, {**cached, "uvx": None})[0]) == PurePosixPath(script)


def test_the_clients_that_are_installed_are_found(cli, tmp_path):
    nothing = cli("setup").stdout
    for folder in (".cursor", ".codeium/windsurf", ".config/zed", ".junie", ".claude"):
        (tmp_path / folder).mkdir(parents=True)

    done = cli("setup")

    assert nothing.startswith("no client found here")
    assert done.returncode == 0
    listed = [line.split("\t")[0] for line in done.stdout.splitlines() if "\t" in line]
    assert listed == ["client", "claude-code", "cursor", "zed", "windsurf", "jetbrains"]
    assert "5 clients found here" in done.stdout
    assert "also known: claude-desktop, vscode, codex" in done.stdout


@pytest.mark.parametrize("name", ["Cursor", "CURSOR", "LM-Studio", "OpenCode", "JetBrains"])
def test_the_name_of_a_client_may_have_any_capitals(cli, tmp_path, name):
    done = cli("setup", name)

    assert done.returncode == 0, done.stderr
    assert usual_file(name.lower(), tmp_path).exists()


@pytest.mark.parametrize("client", ["cursor", "opencode", "codex"])
def test_a_client_can_be_given_the_sandbox(cli, tmp_path, environment, client):
    cli("setup", client, "--sandbox", "--toolset", "papers")

    path = usual_file(client, tmp_path)
    entry = entry_in(client, path.read_text(encoding="utf-8"))
    assert entry["args"][-4:] == ["serve", "--sandbox", "--toolset", "papers"]
    served = subprocess.run(
        [entry["command"], *entry["args"]],
        env={"PATH": environment["PATH"], "HOME": str(tmp_path)},
        input=HELLO,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert "simulated" in served.stderr


def test_a_later_form_of_a_file_is_kept(cli, tmp_path):
    path = usual_file("opencode", tmp_path).with_suffix(".jsonc")
    path.parent.mkdir(parents=True)
    path.write_text('{ // mine\n  "mcp": {"servers": {"theirs": {"type": "local"}}}\n}\n')

    done = cli("setup", "opencode")

    tables = parse_json(path.read_text(encoding="utf-8"), comments=True)
    ours = tables["mcp"]["servers"]["sourcewright"]
    assert f"changed {path}" in done.stdout
    assert "// mine" in path.read_text(encoding="utf-8")
    assert ours["command"] == COMMAND
    assert "enabled" not in ours
    assert set(tables["mcp"]) == {"servers"}
