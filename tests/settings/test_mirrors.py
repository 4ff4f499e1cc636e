"""Mirrors are used only if the operator both names them and accepts responsibility."""

import pytest

from sourcewright.settings import Settings, SettingsError

MIRRORS, WORD = "SCIHUB_MIRRORS", "SCIHUB_ACCEPT_RESPONSIBILITY"
ONE, OTHER = "https://mirror.shadow.example", "https://second.shadow.example"


@pytest.fixture
def load(tmp_path):
    def load(file="", **environ):
        path = tmp_path / "c.toml"
        path.write_text(file, "utf-8")
        return Settings.load({"HOME": str(tmp_path), **environ}, config=path)

    return load


def options(settings):
    return settings.provider_options["scihub"]


def test_neither_is_set_by_default(load):
    assert options(load()) == {"mirrors": None, "agreed": None}


def test_both_together_name_the_mirrors_in_their_order(load):
    settings = load(**{MIRRORS: f"{OTHER}/, {ONE},{OTHER}", WORD: "1"})

    assert options(settings) == {"mirrors": (OTHER, ONE), "agreed": True}


def test_the_mirrors_may_stand_in_the_file_and_the_word_in_the_environment(load):
    settings = load(f'{MIRRORS} = ["{ONE}", "{OTHER}"]', **{WORD: "1"})

    assert options(settings)["mirrors"] == (ONE, OTHER)


@pytest.mark.parametrize("given", [{MIRRORS: ONE}, {MIRRORS: ONE, WORD: "0"}, {WORD: "1"}])
def test_one_without_the_other_stops_the_start_and_names_both(load, given):
    with pytest.raises(SettingsError) as caught:
        load(**given)

    [problem] = caught.value.problems
    assert MIRRORS in str(caught.value)
    assert WORD in str(caught.value)
    assert problem.setting in given


@pytest.mark.parametrize("value", ["true", "yes", "on", "11", " 1"])
def test_nothing_but_a_plain_one_is_the_operators_word(load, value):
    with pytest.raises(SettingsError, match="exactly 1"):
        load(**{MIRRORS: ONE, WORD: value})


def test_a_file_cannot_give_the_operators_word(load):
    with pytest.raises(SettingsError, match="only in the environment"):
        load(f"{WORD} = true", **{MIRRORS: ONE})


@pytest.mark.parametrize(
    "value",
    ["mirror.shadow.example", f"{ONE}/papers", "ftp://mirror.shadow.example", f"{ONE},nonsense"],
)
def test_what_is_no_origin_is_refused(load, value):
    with pytest.raises(SettingsError, match=MIRRORS):
        load(**{MIRRORS: value, WORD: "1"})


@pytest.mark.parametrize("value", [",", " , ,"])
def test_a_list_that_names_nobody_is_refused(load, value):
    with pytest.raises(SettingsError, match=MIRRORS):
        load(**{MIRRORS: value, WORD: "1"})
