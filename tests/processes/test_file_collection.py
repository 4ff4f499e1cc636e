"""A worker collects a file of tests when it runs it, and reports every test and every failure."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = """
import work_units

work_units.APART = ("test_long.py",)

def pytest_xdist_make_scheduler(config, log):
    return work_units.scheduler(config, log)
"""
FILES = {
    "conftest.py": CONFTEST,
    "test_good.py": """
import pytest

@pytest.fixture(scope="module")
def numbers():
    yield []

@pytest.mark.parametrize("number", range(3))
def test_good(numbers, number):
    numbers.append(number)
    assert numbers == list(range(number + 1))
""",
    "test_bad.py": "def test_bad():\n    assert 1 == 2\n\ndef test_later():\n    pass\n",
    "test_broken.py": "import no_such_module\n",
    "test_long.py": "def test_one():\n    pass\n\ndef test_two():\n    pass\n",
}


@pytest.fixture
def run(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    def pytest_with(*words: str) -> subprocess.CompletedProcess[str]:
        plugins = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "file_collection")
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n", "2", *plugins, *words],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return pytest_with


def test_every_test_is_run_and_every_failure_is_reported(run):
    result = run()

    assert result.returncode == 1
    assert "1 failed, 6 passed, 1 error" in result.stdout
    assert "FAILED test_bad.py::test_bad - assert 1 == 2" in result.stdout
    assert "No module named 'no_such_module'" in result.stdout
    assert "[100%]" in result.stdout


def test_a_test_can_be_chosen_by_its_name(run):
    assert "1 passed" in run("test_good.py::test_good[0]").stdout
    assert "2 passed" in run("-k", "one or two", "--ignore", "test_broken.py").stdout
