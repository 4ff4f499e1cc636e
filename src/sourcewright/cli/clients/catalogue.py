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
    folder: Literal["HOME", "CONFIG"] = "HOME"
    """The user's home, or the system's folder of settings."""
    macos: str | None = None
    windows: str | None = None
    override: str | None = None
    """An environment variable that names the folder of the config file."""
    format: Format = "json"
    key: str = "mcpServers"
    """The object or table that contains one entry for each server."""
    type: str | None = None
    """The value of `type` in an entry, for clients that require it."""
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
    }
)


def config_file(client: Client, system: str, home: Path, environment: Mapping[str, str]) -> Path:
    """The client's config file on a system, which is named as `sys.platform` names it."""
    if client.override and environment.get(client.override):
        return Path(environment[client.override]) / PurePath(client.file).name
    if client.folder == "HOME":
        return home / client.file
    if system == "win32":
        folder = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
        return folder / (client.windows or client.file)
    if system == "darwin":
        return home / (client.macos or f"Library/Application Support/{client.file}")
    # The XDG specification: a relative folder is ignored.
    folder = Path(environment.get("XDG_CONFIG_HOME", ""))
    return (folder if folder.is_absolute() else home / ".config") / client.file
