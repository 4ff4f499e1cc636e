"""Keys that need an accepted agreement."""

import pytest

from sourcewright.settings import MASK, Settings, SettingsError

PLAIN = {"provider": "vault", "default": None, "help": "For a test.", "contact": False}
MANIFEST = {
    "providers": [{"name": "vault", "roles": []}],
    "options": [
        PLAIN | {"name": "key", "env": ["VAULT_KEY"], "kind": "secret", "required": True},
        PLAIN | {"name": "agreed", "env": ["VAULT_AGREE"], "kind": "agreement", "required": False},
    ],
}


@pytest.fixture
def load(tmp_path):
    def load(file="", **environ):
        path = tmp_path / "c.toml"
        path.write_text(file, "utf-8")
        return Settings.load({"HOME": str(tmp_path), **environ}, config=path, manifest=MANIFEST)

    return load


def test_a_key_with_its_agreement_configures_the_source(load):
    settings = load(VAULT_KEY="s3cr3t-key", VAULT_AGREE="1")

    assert settings.provider_options["vault"] == {"key": "s3cr3t-key", "agreed": True}
    assert settings.missing_options == {}
    assert ("VAULT_KEY", MASK, "environment") in [row[:3] for row in settings.describe()]


def test_the_key_may_stand_in_the_file_while_the_agreement_stands_in_the_environment(load):
    assert load('VAULT_KEY = "s3cr3t-key"', VAULT_AGREE="1").missing_options == {}


def test_without_either_the_source_is_not_configured(load):
    assert load().missing_options == {"vault": (("VAULT_KEY",),)}
    assert load(VAULT_KEY="", VAULT_AGREE="").missing_options == {"vault": (("VAULT_KEY",),)}
    assert load(VAULT_AGREE="0").missing_options == {"vault": (("VAULT_KEY",),)}


@pytest.mark.parametrize(
    "environ",
    [
        {"VAULT_KEY": "s3cr3t-key"},
        {"VAULT_KEY": "s3cr3t-key", "VAULT_AGREE": "0"},
        {"VAULT_AGREE": "1"},
    ],
)
def test_one_without_the_other_stops_the_start_and_names_both(load, environ):
    with pytest.raises(SettingsError) as caught:
        load(**environ)

    message = str(caught.value)
    assert "VAULT_KEY" in message
    assert "VAULT_AGREE" in message
    assert "s3cr3t" not in message
    assert len(caught.value.problems) == 1


@pytest.mark.parametrize("value", ["true", "yes", "11", "1.0", "agreed", " 1"])
def test_nothing_but_a_plain_one_agrees(load, value):
    with pytest.raises(SettingsError, match="exactly 1") as caught:
        load(VAULT_KEY="s3cr3t-key", VAULT_AGREE=value)

    assert [problem.setting for problem in caught.value.problems] == ["VAULT_AGREE"]


@pytest.mark.parametrize("value", ["1", '"1"', "true"])
def test_a_file_cannot_agree_for_anybody(load, value):
    with pytest.raises(SettingsError, match="only in the environment"):
        load(f"VAULT_AGREE = {value}", VAULT_KEY="s3cr3t-key")
