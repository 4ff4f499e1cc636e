"""Hosts that a user adds: one name, or everything below a name."""

import pytest

from sourcewright.settings import Settings, SettingsError

NAME = "SOURCEWRIGHT_ADDITIONAL_HOSTS"


@pytest.fixture
def load(tmp_path):
    def load(value, **environ):
        return Settings.load({"HOME": str(tmp_path), NAME: value, **environ})

    return load


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("repo.example.org", ("repo.example.org",)),
        (" Repo.Example.ORG , *.lakeside.example ", ("repo.example.org", "*.lakeside.example")),
        ("a.org,A.org,", ("a.org",)),
        ("xn--mller-kva.example", ("xn--mller-kva.example",)),
        ("", ()),
    ],
)
def test_patterns_are_kept_in_one_spelling(load, given, kept):
    assert load(given).additional_hosts == kept


def test_the_config_file_may_list_them(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text(f'{NAME} = ["a.org", "*.b.org"]', "utf-8")

    settings = Settings.load({"HOME": str(tmp_path)}, config=file)

    assert settings.additional_hosts == ("a.org", "*.b.org")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("*", "not a single leading"),
        ("*.*.org", "not a single leading"),
        ("a.*.org", "not a single leading"),
        ("*a.org", "not a single leading"),
        ("localhost", "no dot"),
        ("*.org", "not name a single domain"),
        ("a..org", "empty label"),
        (".org", "empty label"),
        ("a.org.", "empty label"),
        ("-a.org", "hyphen"),
        ("a-.org", "hyphen"),
        ("a b.org", "character"),
        ("müller.example", "character"),
        ("a_b.org", "character"),
        ("https://a.org", "character"),
        ("a.org:443", "character"),
        ("a.org/path", "character"),
        ("10.0.0.1", "address"),
        (f"{'a' * 64}.org", "longer"),
        (f"{'a.' * 130}org", "longer"),
    ],
)
def test_what_is_no_pattern_is_refused_with_a_reason(load, given, why):
    with pytest.raises(SettingsError, match=why) as caught:
        load(given)

    assert [problem.setting for problem in caught.value.problems] == [NAME]


def test_all_that_is_wrong_is_said_at_once(load):
    with pytest.raises(SettingsError) as caught:
        load("localhost, fine.example, -a.org, *", SOURCEWRIGHT_TRUST_OA_REGISTRIES="perhaps")

    message = str(caught.value)
    assert all(
        word in message for word in ("'localhost'", "'-a.org'", "'*'", "TRUST_OA_REGISTRIES")
    )
    assert "fine.example" not in message
