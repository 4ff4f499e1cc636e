"""The generator of the manifest, the reference pages and `.env.example`."""

import json
import re
import shutil
import subprocess
import sys

import click
import pytest

from sourcewright import providers, tools
from sourcewright.cli.gen import generated, main
from sourcewright.cli.main import sourcewright
from sourcewright.settings import TABLE, Settings

FILES = [
    ".env.example",
    "src/sourcewright/manifest.json",
    "src/sourcewright/typed_schemas.json",
    "docs/reference/cli.md",
    "docs/reference/errors.md",
    "docs/reference/exit-codes.md",
    "docs/reference/prompts.md",
    "docs/reference/providers.md",
    "docs/reference/python.md",
    "docs/reference/python-base.md",
    "docs/reference/python-net.md",
    "docs/reference/python-reading.md",
    "docs/reference/python-references.md",
    "docs/reference/python-world.md",
    "docs/reference/settings.md",
    "docs/reference/tools.md",
]


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    return generated(tmp_path_factory.mktemp("checkout"))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    main(["--root", str(folder)])
    return folder


@pytest.fixture
def checkout(written, tmp_path):
    """A checkout of its own, generated once for all tests."""
    return shutil.copytree(written, tmp_path / "checkout")


def test_it_writes_every_file_below_the_root(tmp_path, capsys):
    code = main(["--root", str(tmp_path)])

    assert code == 0
    assert sorted(capsys.readouterr().out.split()[1::2]) == sorted(FILES)
    assert all((tmp_path / name).is_file() for name in FILES)


def test_a_second_run_finds_nothing_to_write(checkout, capsys):
    capsys.readouterr()

    assert main(["--root", str(checkout)]) == 0
    assert capsys.readouterr().out == ""


def test_the_help_that_was_shown_before_changes_no_page(texts, tmp_path):
    context = click.Context(sourcewright)
    for name in sourcewright.list_commands(context):
        command = sourcewright.get_command(context, name)
        command.get_help(click.Context(command, help_option_names=["--assist"]))

    assert generated(tmp_path) == texts


def test_another_process_agrees_word_for_word(checkout):
    """Nothing hangs on hash order or on what was imported before."""
    command = [sys.executable, "-m", "sourcewright.cli.gen", "--check", "--root", str(checkout)]
    environ = {"PYTHONHASHSEED": "7", "HOME": str(checkout)}

    done = subprocess.run(
        command, env=environ, capture_output=True, text=True, timeout=300, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("changed", [FILES, FILES[:1]], ids=["every file", "one file"])
def test_a_check_names_the_files_that_differ_shows_how_and_leaves_them_alone(
    checkout, capsys, changed
):
    for name in changed:
        (checkout / name).write_text("by hand\n", "utf-8")

    code = main(["--check", "--root", str(checkout)])

    errors = capsys.readouterr().err
    named = re.findall(r"^\S*?(\S+) is out of date", errors, re.MULTILINE)
    diffs = re.split(r"^.* is out of date", errors, flags=re.MULTILINE)[1:]
    assert code == 1
    assert sorted(named) == sorted(changed)
    assert all("-by hand" in one and len(one.splitlines()) < 30 for one in diffs)
    assert {(checkout / name).read_text("utf-8") for name in changed} == {"by hand\n"}


def test_a_check_of_an_empty_folder_writes_nothing(tmp_path, capsys):
    code = main(["--check", "--root", str(tmp_path)])

    errors = capsys.readouterr().err
    assert code == 1
    assert all(f"{name} is out of date" in errors for name in FILES)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", FILES)
def test_every_file_says_at_its_top_that_it_is_generated_and_by_what(texts, name):
    top = "\n".join(texts[name].splitlines()[:2]).lower()

    assert "generated" in top
    assert "python -m sourcewright.cli.gen" in top


def test_the_manifest_holds_every_tool_as_the_registry_lists_it(texts):
    manifest = json.loads(texts["src/sourcewright/manifest.json"])

    listed = {tool["listing"]["name"]: tool for tool in manifest["tools"]}
    specs = tools.discover()
    assert list(listed) == sorted(specs)
    for name, spec in specs.items():
        assert listed[name]["listing"] == spec.listing()
        assert listed[name]["toolset"] == spec.toolset


def test_settings_read_the_options_of_every_provider_from_the_manifest(texts, tmp_path):
    manifest = json.loads(texts["src/sourcewright/manifest.json"])

    settings = Settings.load({"HOME": str(tmp_path)}, manifest=manifest)

    assert {name: set(options) for name, options in settings.provider_options.items()} == {
        name: {option.name for option in provider.info.options}
        for name, provider in providers.discover().items()
    }


def test_the_defaults_of_providers_are_values_that_their_settings_take(texts, tmp_path):
    manifest = json.loads(texts["src/sourcewright/manifest.json"])
    defaults = {
        option["env"][0]: option["default"]
        for option in manifest["options"]
        if option["default"] is not None
    }

    settings = Settings.load({"HOME": str(tmp_path)}, overrides=defaults, manifest=manifest)

    for option in manifest["options"]:
        if option["default"] is not None:
            assert (
                settings.provider_options[option["provider"]][option["name"]] == option["default"]
            )


@pytest.mark.parametrize("setting", TABLE, ids=lambda setting: setting.name)
def test_every_setting_is_on_the_page_and_in_the_example(texts, setting):
    page, example = texts["docs/reference/settings.md"], texts[".env.example"]

    assert f"| `{setting.name}` |" in page
    assert all(f"`{alias}`" in page for alias in setting.names[1:])
    assert f"\n#{setting.name}=\n" in example


def test_the_options_of_providers_are_on_the_page_and_in_the_example(texts):
    for provider in providers.discover().values():
        for option in provider.info.options:
            assert all(f"`{name}`" in texts["docs/reference/settings.md"] for name in option.env)
            assert f"\n#{option.env[0]}=\n" in texts[".env.example"]


def test_every_source_and_every_tool_has_its_place_on_a_page(texts):
    page = texts["docs/reference/providers.md"].splitlines()
    kinds = providers.discover().values()
    for info in (kind.info_for(role) for kind in kinds for role in kind.roles()):
        [row] = [line for line in page if line.startswith(f"| [{info.title}]({info.home}) (")]
        assert f"`{info.reported_name}`" in row.split("|")[1]
    for name, spec in tools.discover().items():
        assert f"\n## {name}\n" in texts["docs/reference/tools.md"]
        for argument, field in spec.ask.model_fields.items():
            assert f"| `{field.alias or argument}` |" in texts["docs/reference/tools.md"]


def test_the_pages_tables_keep_their_columns(texts):
    """A bar inside a cell would shift everything after it."""
    for name, text in texts.items():
        width = 0
        for line in text.splitlines():
            columns = line.replace("\\|", "").count("|") if line.startswith("|") else 0
            assert name.endswith(".json") or not (width and columns) or columns == width, line
            width = columns


def test_promises_are_shown_with_the_tests_that_keep_them(tmp_path):
    tests = tmp_path / "tests" / "promises"
    tests.mkdir(parents=True)
    (tests / "manifest.py").write_text(
        "from types import SimpleNamespace as P\n"
        "PROMISES = {'a.one': P(sentence='First.', source='Honesty'),"
        " 'b.two': P(sentence='Second.', source='Care')}\n",
        "utf-8",
    )
    (tmp_path / "tests" / "test_it.py").write_text(
        "@promise('a.one')\n@pytest.mark.parametrize('x', [1])\ndef test_first(x): ...\n"
        "\n\n@pytest.mark.promise(\n    'a.one',\n)\nasync def test_again(): ...\n"
        "\n\ndef test_other(): ...\n",
        "utf-8",
    )

    page = generated(tmp_path)["docs/reference/promises.md"]

    first, second = page.split("### ")[1:]
    assert first.startswith("a.one\n\nFirst.")
    assert "- `test_it.py::test_first`\n- `test_it.py::test_again`" in first
    assert second == "b.two\n\nSecond.\n"
    assert "test_other" not in page
    assert "## Honesty\n" in page
