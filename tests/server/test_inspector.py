"""The MCP Inspector's command line as an independent client."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

STUB = Path(__file__).with_name("stub.py")
FOLDER = Path.home() / ".cache" / "sourcewright-tests" / "inspector-2.12.0"
PACKAGE = "@modelcontextprotocol/inspector@2.12.0"


@pytest.fixture(scope="module")
def inspect():
    """Runs one method of the inspector against a server; gives the JSON that it prints."""
    program = installed()

    def run(server, *words, **where):
        done = subprocess.run(
            ["node", program, "--cli", sys.executable, *server, *words],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            **where,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def installed():
    """The inspector, fetched once into a folder outside the repository."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not here, so the inspector is not run")
    program = FOLDER / "node_modules" / ".bin" / "mcp-inspector"
    if not program.exists():
        fetch = ["npm", "install", "--no-audit", "--no-fund", "--prefix", FOLDER, PACKAGE]
        try:
            FOLDER.mkdir(parents=True, exist_ok=True)
            subprocess.run(fetch, capture_output=True, timeout=300, check=True)
        except (subprocess.SubprocessError, OSError) as error:
            pytest.skip(f"the inspector cannot be fetched: {error}")
    return program


def test_the_inspector_lists_the_tools(inspect):
    tools = inspect([STUB], "--method", "tools/list")["tools"]

    assert [tool["name"] for tool in tools][:2] == ["echo", "hold"]
    assert tools[0]["annotations"]["readOnlyHint"] is True


def test_the_inspector_calls_a_tool_and_accepts_its_result(inspect):
    words = ("--method", "tools/call", "--tool-name", "echo", "--tool-arg", "word=hi")

    result = inspect([STUB], *words)

    assert result["structuredContent"]["word"] == "hi"
    assert result["isError"] is False


def test_the_inspector_calls_the_real_server(inspect, environment, tmp_path):
    words = ("--method", "tools/call", "--tool-name", "doiget_capability_profile")

    result = inspect(["-m", "sourcewright", "serve"], *words, env=environment, cwd=tmp_path)

    assert result["structuredContent"]["ok"] is True
