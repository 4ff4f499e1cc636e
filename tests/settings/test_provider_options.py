"""Settings that providers declare reach them through the manifest."""

import pytest

from sourcewright.settings import MASK, Settings, SettingsError


def option(provider, name, *env, **facts):
    plain = {"kind": "text", "default": None, "help": "For a test.", "contact": False}
    return (
        {"provider": provider, "name": name, "env": list(env)}
        | plain
        | {"required": False}
        | facts
    )


MANIFEST = {
    "providers": [{"name": name, "roles": []} for name in ("agora", "binder", "cairn", "delta")],
    "options": [
        option("agora", "mailto", "AGORA_EMAIL", kind="email", contact=True),
        option("agora", "enabled", "DOIGET_ENABLE_AGORA", kind="flag", default=True),
        option(
            "binder",
            "email",
            "BINDER_EMAIL",
            "AGORA_EMAIL",
            kind="email",
            contact=True,
            required=True,
        ),
        option("cairn", "key", "CAIRN_KEY", kind="secret", required=True),
        option("cairn", "base", "CAIRN_URL", kind="url", default="https://cairn.example/api"),
    ],
}


@pytest.fixture
def load(tmp_path):
    def load(**environ):
        return Settings.load({"HOME": str(tmp_path), **environ}, manifest=MANIFEST)

    return load


def test_every_provider_gets_its_options_under_its_own_names(load):
    settings = load(AGORA_EMAIL="a@uni.edu", DOIGET_ENABLE_AGORA="0", CAIRN_KEY="k-123")

    assert settings.provider_options == {
        "agora": {"mailto": "a@uni.edu", "enabled": False},
        "binder": {"email": "a@uni.edu"},
        "cairn": {"key": "k-123", "base": "https://cairn.example/api"},
        "delta": {},
    }


def test_the_contact_address_stands_in_where_a_source_has_none_of_its_own(load):
    settings = load(CONTACT_EMAIL="me@uni.edu", BINDER_EMAIL="b@uni.edu", CAIRN_KEY="k")

    assert settings.provider_options["agora"]["mailto"] == "me@uni.edu"
    assert settings.provider_options["binder"]["email"] == "b@uni.edu"
    assert ("AGORA_EMAIL", "me@uni.edu", "CONTACT_EMAIL") in [r[:3] for r in settings.describe()]


def test_a_source_without_what_it_needs_names_what_would_configure_it(load):
    settings = load()

    assert settings.missing_options == {
        "binder": (("BINDER_EMAIL", "AGORA_EMAIL", "CONTACT_EMAIL"),),
        "cairn": (("CAIRN_KEY",),),
    }
    assert settings.provider_options["agora"]["mailto"] is None


def test_a_source_with_what_it_needs_misses_nothing(load):
    assert load(CONTACT_EMAIL="me@uni.edu", CAIRN_KEY="k").missing_options == {}


@pytest.mark.promise("wire.secrets-never-show")
@pytest.mark.parametrize(
    "show",
    [
        repr,
        str,
        lambda settings: str(settings.describe()),
        lambda settings: repr(settings.provider_options),
        lambda settings: repr(vars(settings)),
    ],
)
def test_a_secret_never_shows_itself(load, show):
    settings = load(CAIRN_KEY="s3cr3t-key")

    assert "s3cr3t" not in show(settings)
    assert MASK in show(settings)


def test_secrets_are_known_by_value_so_that_others_can_mask_them(load):
    settings = load(CAIRN_KEY="s3cr3t-key", AGORA_EMAIL="a@uni.edu")

    assert settings.secrets() == {"s3cr3t-key"}
    assert f"Bearer {settings.provider_options['cairn']['key']}" == "Bearer s3cr3t-key"


@pytest.mark.parametrize("value", ["s3cr3t\x00", "s3cr3t\nX-Evil: 1", "s3cr3té"])
def test_what_is_wrong_with_a_secret_is_said_without_it(load, value):
    with pytest.raises(SettingsError, match="CAIRN_KEY") as caught:
        load(CAIRN_KEY=value)

    assert "s3cr3t" not in str(caught.value)


def test_a_secret_of_the_wrong_type_in_the_file_is_not_repeated(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text("CAIRN_KEY = 424242", "utf-8")

    with pytest.raises(SettingsError, match="CAIRN_KEY") as caught:
        Settings.load({"HOME": str(tmp_path)}, config=file, manifest=MANIFEST)

    assert "424242" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("http://Localhost:8080/api/", "http://localhost:8080/api"),
        ("https://cairn.example/a?b=c", "https://cairn.example/a?b=c"),
    ],
)
def test_an_address_of_a_source_is_kept_in_one_spelling(load, given, kept):
    assert load(CAIRN_URL=given).provider_options["cairn"]["base"] == kept


@pytest.mark.parametrize(
    "url", ["cairn.example", "ftp://cairn.example", "http://u:s3cr3t@c.example", "http://c#x"]
)
def test_an_address_that_is_none_is_refused(load, url):
    with pytest.raises(SettingsError, match="CAIRN_URL") as caught:
        load(CAIRN_URL=url)

    assert "s3cr3t" not in str(caught.value)


def test_the_file_knows_the_names_of_providers_options(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text("DOIGET_ENABLE_AGORA = false", "utf-8")

    settings = Settings.load({"HOME": str(tmp_path)}, config=file, manifest=MANIFEST)

    assert settings.provider_options["agora"]["enabled"] is False
