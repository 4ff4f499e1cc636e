"""Settings of downloads: permitted folders, and the contact address sent to sources."""

import os
from pathlib import Path

import pytest

from sourcewright.settings import Settings, SettingsError

HOME = "/home/ada"
NO_OPTIONS = {"options": [], "providers": []}
MANIFEST = {
    "options": [
        {
            "provider": "unpaywall",
            "name": "email",
            "env": ["UNPAYWALL_EMAIL", "SCIHUB_CLI_EMAIL"],
            "help": "Address that Unpaywall requires from every caller.",
            "kind": "email",
            "default": None,
            "contact": True,
            "required": True,
        }
    ],
    "providers": [{"name": "unpaywall", "roles": ["papers"]}],
}
INVALID = "Invalid email format. Please provide a valid email address."


def load(cwd="/", manifest=MANIFEST, config=None, **environ):
    return Settings.load(
        {"HOME": HOME, **environ}, manifest=manifest, cwd=Path(cwd), config=config
    )


def problems(**environ):
    with pytest.raises(SettingsError) as caught:
        load(**environ)

    return caught.value.problems


@pytest.mark.parametrize(
    ("text", "folders"),
    [
        ("/data/papers", ["/data/papers"]),
        ("/data/a,/data/b", ["/data/a", "/data/b"]),
        (" /data/a , ~/b ,, /data/a", ["/data/a", f"{HOME}/b"]),
        (f"/data/a{os.pathsep}/data/b{os.pathsep}~/c", ["/data/a", "/data/b", f"{HOME}/c"]),
        (f"/data/a{os.pathsep}b", [f"/data/a{os.pathsep}b"]),
        ("~", [HOME]),
    ],
)
def test_folders_are_listed_by_commas_or_as_in_path(text, folders):
    assert load(PAPER_ALLOWED_DIRS=text).paper_allowed_dirs == tuple(map(Path, folders))


def test_without_a_list_no_folder_is_added():
    assert load().paper_allowed_dirs == ()


def test_a_list_in_the_file_is_taken_as_it_stands(tmp_path):
    config = tmp_path / "config.toml"
    config.write_text('PAPER_ALLOWED_DIRS = ["/data/a:/odd", "~/b"]', "utf-8")

    settings = load(config=config)

    assert settings.paper_allowed_dirs == (Path("/data/a:/odd"), Path(HOME, "b"))
    shown = {row.name: row.value for row in settings.describe()}
    assert shown["PAPER_ALLOWED_DIRS"] == f"/data/a:/odd, {HOME}/b"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("papers", "absolute folder paths, got 'papers'"),
        ("/data,./papers", "absolute folder paths, got 'papers'"),
        ("~bob/papers", "the home folder of another user"),
        ("/", "root of a file system"),
        ("/data,/", "root of a file system"),
        ("/da\x07ta", "control characters"),
    ],
)
def test_a_folder_that_cannot_be_meant_is_named(text, message):
    [problem] = problems(PAPER_ALLOWED_DIRS=text)

    assert problem.setting == "PAPER_ALLOWED_DIRS"
    assert message in problem.message


def test_downloads_go_beside_the_work(tmp_path):
    settings = load(tmp_path)

    assert settings.cwd == tmp_path
    assert settings.download_dir == tmp_path / "downloads"


def test_a_server_that_was_started_in_the_root_has_a_folder_of_its_own_for_downloads():
    settings = load("/", XDG_DATA_HOME="/data")

    assert settings.download_dir == Path("/data/sourcewright/downloads")
    assert settings.store_root == Path("/data/sourcewright/papers")


@pytest.mark.parametrize(
    "address", ["ada", "ada@", "@uni.edu", "ada@uni", "a b@uni.edu", "a@uni..edu", "a\x07@uni.edu"]
)
@pytest.mark.parametrize("name", ["CONTACT_EMAIL", "SCIHUB_CLI_EMAIL", "UNPAYWALL_EMAIL"])
def test_a_bad_address_is_answered_in_the_words_of_the_contract_once(name, address):
    settings = load(**{name: address})

    [problem] = settings.address_problems
    assert problem.setting == name
    assert INVALID in settings.download_problem
    assert settings.download_email is None


@pytest.mark.parametrize(
    "address",
    [
        "you@example.com",
        "test@test.com",
        "user@example.org",
        "ada@library.example.edu",
        "reader@uni.example",
        "your.email@uni.edu",
        "your-email@domain.edu",
        "You@University.edu",
        "ada@localhost.localdomain",
        "me@yourdomain.com",
    ],
)
@pytest.mark.parametrize("name", ["CONTACT_EMAIL", "UNPAYWALL_EMAIL"])
def test_a_placeholder_from_documentation_is_no_address(name, address):
    settings = load(**{name: address})

    [problem] = settings.address_problems
    assert problem.setting == name
    assert "placeholder" in settings.download_problem
    assert "your own e-mail address" in settings.download_problem
    assert settings.download_email is None


@pytest.mark.parametrize(
    "address",
    [
        "researcher@university.edu",
        "ada@yourgenome.org",
        "test@uni.edu",
        "young@uni.edu",
        "a@testing.org",
        "a@my.uni.edu",
    ],
)
def test_an_address_that_may_be_somebodys_is_taken(address):
    assert load(CONTACT_EMAIL=address).contact_email == address


@pytest.mark.parametrize(
    ("environ", "address"),
    [
        ({}, None),
        ({"CONTACT_EMAIL": "c@uni.edu"}, "c@uni.edu"),
        ({"SCIHUB_CLI_EMAIL": "s@uni.edu"}, "s@uni.edu"),
        ({"SCIHUB_CLI_EMAIL": "s@uni.edu", "CONTACT_EMAIL": "c@uni.edu"}, "s@uni.edu"),
        ({"SCIHUB_CLI_EMAIL": "s@uni.edu", "UNPAYWALL_EMAIL": "u@uni.edu"}, "u@uni.edu"),
    ],
)
def test_unpaywall_is_told_its_own_address_before_the_general_one(environ, address):
    settings = load(**environ)

    assert settings.download_email == address
    assert settings.provider_options["unpaywall"]["email"] == address


def test_the_address_of_downloads_is_the_general_one_where_unpaywall_is_not_built_in():
    settings = load(manifest=NO_OPTIONS, CONTACT_EMAIL="c@uni.edu")

    assert settings.download_email == "c@uni.edu"


def test_a_file_may_give_unpaywall_another_address_than_everybody_else(tmp_path):
    config = tmp_path / "config.toml"
    config.write_text('UNPAYWALL_EMAIL = "u@uni.edu"\nSCIHUB_CLI_EMAIL = "s@uni.edu"', "utf-8")

    settings = load(config=config)

    assert settings.contact_email == "s@uni.edu"
    assert settings.download_email == "u@uni.edu"
