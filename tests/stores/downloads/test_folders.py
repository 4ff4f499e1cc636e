"""Which folders a caller may have downloads saved in."""

from pathlib import Path

import pytest

from sourcewright.base.errors import Denied, InvalidInput
from sourcewright.stores.downloads.deposit import DownloadFolders


@pytest.fixture
def place(tmp_path):
    """The folders of a machine: a home with a project, a shared disk, and the rest."""
    for name in ("home/project", "home/.config", "shared/papers", "elsewhere"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


@pytest.fixture
def folders(place):
    return DownloadFolders(
        cwd=place / "home" / "project",
        home=place / "home",
        allowed=(place / "shared",),
        default=place / "home" / "project" / "downloads",
    )


def everything(place: Path) -> set[Path]:
    return set(place.rglob("*"))


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        (None, "home/project/downloads"),
        ("./downloads", "home/project/downloads"),
        ("downloads/", "home/project/downloads"),
        (".", "home/project"),
        ("papers/2024", "home/project/papers/2024"),
        (" papers ", "home/project/papers"),
        ("a//b/./c/", "home/project/a/b/c"),
        ("~", "home"),
        ("~/papers", "home/papers"),
        ("a/~/b", "home/project/a/~/b"),
        ("{place}/home/papers", "home/papers"),
        ("{place}/shared", "shared"),
        ("{place}/shared/papers/new", "shared/papers/new"),
        ("études …", "home/project/études …"),
    ],
)
def test_a_folder_in_an_open_place_is_taken_and_not_made(place, folders, folder, expected):
    before = everything(place)

    chosen = folders.choose(folder and folder.format(place=place))

    assert chosen == place / expected
    assert everything(place) == before


@pytest.mark.parametrize(
    ("folder", "message"),
    [
        ("", "is empty"),
        ("  ", "is empty"),
        ("..", "must not contain .."),
        ("../x", "must not contain .."),
        ("a/../b", "must not contain .."),
        ("{place}/home/../home/x", "must not contain .."),
        ("~/../x", "must not contain .."),
        ("~root/x", "the home folder of another user"),
        ("~+/x", "the home folder of another user"),
        ("a\0b", "characters"),
        ("a\nb", "characters"),
        ("a\x1b[31mb", "characters"),
        ("a\ud800b", "characters"),
        ("a\u2028b", "characters"),
        ("C:\\papers", "separated by /"),
        ("a\\..\\b", "separated by /"),
        ("file:///tmp/x", "separated by /"),
        ("a" * 256, "too long"),
        ("é" * 128, "too long"),
        ("a/" * 2000, "too long"),
    ],
)
def test_text_that_cannot_be_a_folder_is_refused_with_the_reason(place, folders, folder, message):
    with pytest.raises(InvalidInput, match=f"^output_dir '.*{message}") as caught:
        folders.choose(folder.format(place=place))

    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


@pytest.mark.promise("guard.files-stay-inside")
@pytest.mark.parametrize(
    "folder", ["/", "/etc", "/tmp", "{place}", "{place}/elsewhere", "{place}/home2/x", "//etc/x"]
)
def test_a_folder_elsewhere_is_refused_and_the_open_ones_are_named(place, folders, folder):
    folder = folder.format(place=place)

    with pytest.raises(Denied) as caught:
        folders.choose(folder)

    message = str(caught.value)
    assert message.startswith(f"output_dir {folder!r}: ")
    assert "is outside the folders" in message
    assert "PAPER_ALLOWED_DIRS" in message
    named = {str(place / name) for name in ("home/project", "home", "shared")}
    assert all(name in message for name in named)
    assert caught.value.denial.reason == "capability_not_granted"
    assert set(caught.value.denial.expected) == named


@pytest.mark.parametrize(
    "folder", ["~/.config", "~/.new/x", ".git", "a/.b/c", "{place}/shared/.x", "...", "~/..."]
)
def test_a_hidden_folder_is_refused(place, folders, folder):
    with pytest.raises(Denied, match="begins with a dot"):
        folders.choose(folder.format(place=place))


def test_a_hidden_base_is_open_below_it(place):
    base = place / "home" / ".config"
    folders = DownloadFolders(
        cwd=base / "work", home=place / "home", allowed=(base,), default=base / "work/downloads"
    )

    assert folders.choose("papers") == base / "work" / "papers"
    assert folders.choose("~/.config/papers") == base / "papers"
    assert folders.choose(None) == base / "work" / "downloads"
    with pytest.raises(Denied, match="begins with a dot"):
        folders.choose("~/.config/.papers")


@pytest.mark.promise("guard.files-stay-inside")
@pytest.mark.parametrize("folder", ["link", "link/below", "~/project/link", "a/link"])
@pytest.mark.parametrize("target", ["elsewhere", "/", "/etc", "missing"])
def test_a_link_that_leads_out_is_refused(place, folders, folder, target):
    (place / "home/project/link").symlink_to(place / target)
    (place / "home/project/a").mkdir()
    (place / "home/project/a/link").symlink_to(place / target)

    with pytest.raises(Denied, match="is outside the folders"):
        folders.choose(folder)


def test_a_link_to_a_hidden_folder_is_refused(place, folders):
    (place / "home/project/link").symlink_to(place / "home/.config")

    with pytest.raises(Denied, match="begins with a dot"):
        folders.choose("link")


def test_a_hidden_link_is_refused_wherever_it_leads(place, folders):
    (place / "home/.link").symlink_to(place / "shared")
    (place / "elsewhere/.link").symlink_to(place / "shared")

    for item in ("~/.link", str(place / "elsewhere/.link")):
        with pytest.raises(Denied, match="begins with a dot"):
            folders.choose(item)


def test_a_link_to_an_open_folder_is_followed_to_its_end(place, folders):
    (place / "home/project/link").symlink_to(place / "shared/papers")
    (place / "elsewhere/link").symlink_to(place / "shared")

    assert folders.choose("link/new") == place / "shared/papers/new"
    assert folders.choose(str(place / "elsewhere/link")) == place / "shared"


def test_links_that_lead_in_a_circle_are_no_folder(place, folders):
    (place / "home/project/a").symlink_to("b")
    (place / "home/project/b").symlink_to("a")

    with pytest.raises(InvalidInput, match="is not a folder"):
        folders.choose("a")


@pytest.mark.parametrize("folder", ["paper.pdf", "paper.pdf/below", "~/project/paper.pdf"])
def test_a_file_is_no_folder(place, folders, folder):
    (place / "home/project/paper.pdf").touch()

    with pytest.raises(InvalidInput, match=r"paper\.pdf is not a folder"):
        folders.choose(folder)


def test_a_base_may_itself_be_reached_through_a_link(place):
    (place / "link").symlink_to(place / "home")
    folders = DownloadFolders(
        cwd=place / "link/project",
        home=place / "link",
        allowed=(),
        default=place / "link/project/downloads",
    )

    assert folders.choose(None) == place / "home/project/downloads"
    assert folders.choose("x") == place / "home/project/x"
    assert folders.choose(str(place / "home/y")) == place / "home/y"


def test_the_default_beside_the_work_may_not_lead_out_either(place, folders):
    (place / "home/project/downloads").symlink_to(place / "elsewhere")

    for item in (None, "./downloads"):
        with pytest.raises(Denied, match="is outside the folders"):
            folders.choose(item)


def test_the_root_of_a_file_system_opens_nothing(place):
    data = place / "home/.local/share/sourcewright/downloads"
    folders = DownloadFolders(cwd=Path("/"), home=Path("/"), allowed=(), default=data)

    assert folders.choose(None) == data
    assert folders.choose("./downloads") == data
    for item in ("papers", "/etc", str(place), "~/x", "."):
        with pytest.raises(Denied, match="add the folder to PAPER_ALLOWED"):
            folders.choose(item)


def test_a_link_to_the_root_is_a_root_too(place):
    (place / "link").symlink_to("/")
    folders = DownloadFolders(
        cwd=place / "link", home=place / "home", allowed=(), default=place / "home/data"
    )

    with pytest.raises(Denied, match="is outside the folders"):
        folders.choose("etc")
