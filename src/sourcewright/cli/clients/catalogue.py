"""Facts about each MCP client: its config file on each system, and the form of an entry."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Literal

Format = Literal["json", "jsonc", "toml"]
"""`jsonc` is JSON with comments and trailing commas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One MCP client."""

    title: str
    file: str
    """The config file below its folder; `macos` and `windows` say where that differs."""
    folder: Literal["HOME", "CONFIG", "XDG"] = "HOME"
    """The user's home, the system's folder of settings, or that of the XDG specification, which
    some clients use on every system."""
    others: tuple[str, ...] = ()
    """Other places that its versions use, each below the folder: the file that exists is changed."""
    marker: str | None = None
    """What is there once the client is installed, below the folder; the config file's own folder
    if it is None."""
    macos: str | None = None
    windows: str | None = None
    override: str | None = None
    """An environment variable that names the folder of the config file."""
    format: Format = "json"
    key: str = "mcpServers"
    """The object or table that contains one entry for each server."""
    later_key: str | None = None
    """An object inside that of `key`, which contains the entries in files of its later versions."""
    type: str | None = None
    """The value of `type` in an entry, for clients that require it."""
    form: Literal["usual", "opencode"] = "usual"
    """Of an entry: `command`, `args` and `env`, or one list and `environment`."""
    next_step: str


CLIENTS: Mapping[str, Client] = MappingProxyType(
    {
        "claude-desktop": Client(
            title="Claude Desktop",
            folder="CONFIG",
            file="Claude/claude_desktop_config.json",
            next_step="Quit Claude Desktop completely and start it again",
        ),
        "claude-code": Client(
            title="Claude Code",
            file=".claude.json",
            marker=".claude",
            override="CLAUDE_CONFIG_DIR",
            type="stdio",
            next_step="Start a new session of Claude Code; /mcp lists the server",
        ),
        "cursor": Client(
            title="Cursor",
            file=".cursor/mcp.json",
            format="jsonc",
            next_step="Look at Settings, MCP: the server is listed and can be switched on there",
        ),
        "vscode": Client(
            title="VS Code",
            folder="CONFIG",
            file="Code/User/mcp.json",
            format="jsonc",
            key="servers",
            type="stdio",
            next_step="Run the command `MCP: List Servers` in VS Code and start the server",
        ),
        "zed": Client(
            title="Zed",
            folder="CONFIG",
            file="zed/settings.json",
            macos=".config/zed/settings.json",
            windows="Zed/settings.json",
            format="jsonc",
            key="context_servers",
            next_step="Open the Agent Panel of Zed; its settings list the server",
        ),
        "codex": Client(
            title="Codex",
            file=".codex/config.toml",
            override="CODEX_HOME",
            format="toml",
            key="mcp_servers",
            next_step="Start a new session of Codex; /mcp lists the server",
        ),
        "gemini": Client(
            title="Gemini CLI",
            file=".gemini/settings.json",
            format="jsonc",
            next_step="Start Gemini CLI again; /mcp lists the server",
        ),
        # Windsurf, Cline, LM Studio: as their documentation of MCP says, read in November 2026.
        "windsurf": Client(
            title="Windsurf",
            file=".codeium/windsurf/mcp_config.json",
            next_step="Press refresh in the MCP list of Cascade; the server is listed there",
        ),
        "cline": Client(
            title="Cline",
            folder="CONFIG",
            file="Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            marker="Code/User/globalStorage/saoudrizwan.claude-dev",
            next_step="Open the MCP Servers of Cline; the server is listed there",
        ),
        "lm-studio": Client(
            title="LM Studio",
            file=".lmstudio/mcp.json",
            others=(".cache/lm-studio/mcp.json",),
            next_step="Switch the server on in the Program tab of LM Studio",
        ),
        # Version 2 of OpenCode has the servers one level deeper, and no `enabled`.
        "opencode": Client(
            title="OpenCode",
            folder="XDG",
            file="opencode/opencode.json",
            others=("opencode/opencode.jsonc",),
            format="jsonc",
            key="mcp",
            later_key="servers",
            type="local",
            form="opencode",
            next_step="Start OpenCode again; `opencode mcp list` lists the server",
        ),
        "jetbrains": Client(
            title="Junie, of the JetBrains IDEs",
            file=".junie/mcp/mcp.json",
            marker=".junie",
            next_step="Look at Settings, Tools, Junie, MCP Settings; for AI Assistant, paste what --print shows under Tools, AI Assistant, MCP",
        ),
        # It reads every JSON file in this folder, as its source says (loadJsonMcpConfigs.ts).
        "continue": Client(
            title="Continue",
            file=".continue/mcpServers/sourcewright.json",
            marker=".continue",
            next_step="Reload the window of the editor; the tools of Continue list the server",
        ),
    }
)


def config_file(client: Client, system: str, home: Path, environment: Mapping[str, str]) -> Path:
    """The client's config file on a system, which is named as `sys.platform` names it."""
    if client.override and environment.get(client.override):
        return Path(environment[client.override]) / PurePath(client.file).name
    if client.folder == "CONFIG" and system == "darwin" and client.macos:
        return home / client.macos
    differs = client.folder == "CONFIG" and system == "win32" and client.windows
    return _folder(client, system, home, environment) / (differs or client.file)


def other_files(
    client: Client, system: str, home: Path, environment: Mapping[str, str]
) -> tuple[Path, ...]:
    """Where other versions of the client keep their config file."""
    folder = _folder(client, system, home, environment)
    return tuple(folder / other for other in client.others)


def marker(client: Client, system: str, home: Path, environment: Mapping[str, str]) -> Path:
    """What exists if the client is installed."""
    if client.marker is None:
        return config_file(client, system, home, environment).parent
    return _folder(client, system, home, environment) / client.marker


def _folder(client: Client, system: str, home: Path, environment: Mapping[str, str]) -> Path:
    if client.folder == "HOME":
        return home
    if client.folder == "CONFIG" and system == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    if client.folder == "CONFIG" and system == "darwin":
        return home / "Library" / "Application Support"
    # The XDG specification: a relative folder is ignored.
    folder = Path(environment.get("XDG_CONFIG_HOME", ""))
    return folder if folder.is_absolute() else home / ".config"
