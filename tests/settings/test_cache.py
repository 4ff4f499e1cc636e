"""Settings of the cache."""

from pathlib import Path

import pytest

from sourcewright.settings import MASK, Settings, SettingsError
from sourcewright.settings.process import sandbox_overrides

NO_OPTIONS = {"options": [], "providers": []}
HOME = "/home/ada"
KEY, OTHER = "0123456789abcdefABCDEF0123456789" * 2, "ff" * 32


def load(**environ):
    return Settings.load({"HOME": HOME, **environ}, manifest=NO_OPTIONS, cwd=Path("/tmp"))


def test_without_any_setting_there_is_a_bounded_cache_in_the_users_cache_folder():
    settings = load()

    assert settings.cache_enabled
    assert settings.cache_dir == Path(HOME, ".cache", "sourcewright")
    assert settings.cache_path.parent == settings.cache_dir
    assert (settings.cache_max_memory_mb, settings.cache_max_disk_mb) == (64, 256)
    assert settings.cache_encryption_key is None
    assert settings.cache_encryption_key_prev is None


def test_the_folder_follows_the_systems_cache_folder_unless_it_is_named():
    assert load(XDG_CACHE_HOME="/c").cache_dir == Path("/c/sourcewright")
    assert load(XDG_CACHE_HOME="/c", CACHE_DIR="/own").cache_dir == Path("/own")
    assert load(CACHE_DIR="~/own").cache_dir == Path(HOME, "own")


def test_the_cache_can_be_switched_off():
    assert load(SOURCEWRIGHT_CACHE="0").cache_enabled is False


@pytest.mark.parametrize("name", ["CACHE_ENCRYPTION_KEY", "CACHE_ENCRYPTION_KEY_PREV"])
@pytest.mark.parametrize("key", ["00" * 31, "00" * 33, "0g" * 32, "0" * 63 + "é"])
def test_a_key_is_64_hexadecimal_digits_and_stays_out_of_the_error(name, key):
    with pytest.raises(SettingsError) as caught:
        load(**{"CACHE_ENCRYPTION_KEY": OTHER, name: key})

    [problem] = caught.value.problems
    assert problem.setting == name
    assert key not in str(caught.value)


def test_keys_are_secrets_wherever_settings_are_shown():
    settings = load(CACHE_ENCRYPTION_KEY=KEY, CACHE_ENCRYPTION_KEY_PREV=OTHER)

    shown = {row.name: row.value for row in settings.describe()}

    assert settings.cache_encryption_key == KEY
    assert settings.secrets() == {KEY, OTHER}
    assert shown["CACHE_ENCRYPTION_KEY"] == shown["CACHE_ENCRYPTION_KEY_PREV"] == MASK
    assert KEY not in repr(settings)
    assert KEY not in repr(vars(settings))


def test_a_previous_key_alone_is_refused():
    with pytest.raises(SettingsError, match="CACHE_ENCRYPTION_KEY"):
        load(CACHE_ENCRYPTION_KEY_PREV=OTHER)


def test_a_sandbox_has_its_cache_in_its_own_folder_whatever_the_user_has_set(tmp_path):
    users = {"HOME": HOME, "XDG_CACHE_HOME": "/c", "CACHE_DIR": "/own"}
    overrides = sandbox_overrides("http://127.0.0.1:9", str(tmp_path))

    settings = Settings.load(users, overrides=overrides, manifest=NO_OPTIONS, cwd=Path("/tmp"))

    assert settings.cache_path.is_relative_to(tmp_path)
    assert settings.xdg_cache_home.is_relative_to(tmp_path)
