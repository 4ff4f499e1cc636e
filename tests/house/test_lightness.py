"""Nothing heavy is imported before the server has answered its first messages."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"

HEAVY = {
    *("pydantic", "pydantic_core", "mcp", "mcp_types", "httpx2", "httpcore2", "h2", "anyio"),
    *("click", "rich", "starlette", "uvicorn", "sqlite3", "asyncio", "ssl", "cryptography"),
    *("trafilatura", "lxml", "pypdfium2", "rapidfuzz", "xml.etree.ElementTree", "concurrent"),
    *("logging.config", "multiprocessing", "importlib.metadata", "inspect", "unittest"),
}

STEPS = {
    "importing the package": "import sourcewright",
    "importing the command": "import sourcewright.__main__",
    "importing the front": "import sourcewright.server.stdio.front, sourcewright.server.start",
    "reading the settings": (
        "from sourcewright.settings import Settings; Settings.from_environment()"
    ),
    "listing the prompts": (
        "from sourcewright import manifest\n"
        "from sourcewright.settings import Settings\n"
        "assert manifest.prompts(Settings.from_environment().toolsets)"
    ),
    "listing the tools": (
        "import sourcewright.server.start\n"
        "from sourcewright import manifest\n"
        "from sourcewright.settings import Settings\n"
        "assert manifest.offered(Settings.from_environment().toolsets)"
    ),
}


def ran(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What a fresh interpreter says of this code."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(SOURCE), "HOME": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.promise("house.start-stays-light")
@pytest.mark.parametrize("step", STEPS)
def test_nothing_heavy_is_imported_by(step: str, tmp_path: Path) -> None:
    code = f"import json, sys\n{STEPS[step]}\nsys.stdout.write(json.dumps(list(sys.modules)))"

    done = ran(code, tmp_path)

    assert done.returncode == 0, done.stderr
    assert HEAVY & set(json.loads(done.stdout)) == set()


def test_the_command_line_never_loads_the_protocol_or_the_network_for_its_help(
    tmp_path: Path,
) -> None:
    code = (
        "import sys\nfrom sourcewright.cli.main import run\n"
        "code = run(['--help'])\n"
        "heavy = {'mcp', 'mcp_types', 'httpx2', 'starlette', 'uvicorn'} & set(sys.modules)\n"
        "sys.exit(code or ', '.join(heavy) or 0)"
    )

    done = ran(code, tmp_path)

    assert done.returncode == 0, done.stderr
