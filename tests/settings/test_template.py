"""The config file that `config init` writes."""

import tomllib

from sourcewright.manifest import load
from sourcewright.settings import TABLE, Settings
from sourcewright.settings.table import provider_settings
from sourcewright.settings.template import render_config_template


def test_it_names_every_setting_that_a_file_may_have():
    template = render_config_template()

    settings = (*TABLE, *provider_settings(load()["options"]))
    named = [one.name for one in settings if f"\n#{one.name} = " in template]
    assert named == [one.name for one in settings if one.in_file]


def test_it_explains_every_setting():
    template = render_config_template()

    for setting in TABLE:
        assert not setting.in_file or f"# {setting.help.partition('. ')[0]}" in template


def test_it_sets_nothing_as_it_stands():
    assert tomllib.loads(render_config_template()) == {}


def test_with_every_name_uncommented_it_says_what_holds_anyway(tmp_path):
    lines = render_config_template().splitlines()
    filled = [line[1:] if line[:1] == "#" and line[1:2].isupper() else line for line in lines]
    # The pace belongs to a sandbox, and the file names none.
    kept = [line for line in filled if not line.startswith("SOURCEWRIGHT_SANDBOX_PACE")]
    file = tmp_path / "config.toml"
    file.write_text("\n".join(kept), "utf-8")
    environ = {"HOME": str(tmp_path)}

    filled_in = Settings.load(environ, config=file, cwd=tmp_path)

    untouched = Settings.load(environ, cwd=tmp_path)
    assert [row[:2] for row in filled_in.describe()] == [row[:2] for row in untouched.describe()]
