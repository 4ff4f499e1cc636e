"""Lenses: the twenty built in, and those of an operator's folder."""

import json
import os

import pytest

from sourcewright.base.urls.suffixes import site_of
from sourcewright.stores.catalogues.lenses import MOST_FILES, load_lenses

OURS = """
academic academic-extended awesome-lists biomed clinical curriculum devops docs finance government
investigative_records legal medical news osint programming programming-goggle science security tech
"""
TIDES = {"name": "tides", "description": "About tides", "domains": ["tides.example"]}


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "own"
    place.mkdir()
    return place


def write(folder, name, value):
    text = value if isinstance(value, str) else json.dumps(value)
    (folder / name).write_text(text, encoding="utf-8")


def test_ours_are_the_twenty_of_the_contract():
    catalog = load_lenses(None)

    assert catalog.names() == OURS.split()
    assert catalog.flaws == ()


@pytest.mark.parametrize("name", OURS.split())
def test_each_of_ours_would_be_accepted_from_an_operator(name):
    lens = load_lenses(None).get(name)

    assert len(lens.description) > 20
    assert 10 <= len(lens.domains) <= 30
    assert tuple(map(site_of, lens.domains)) == lens.domains
    assert len(set(lens.domains)) == len(lens.domains)


def test_a_name_is_found_however_it_is_written():
    assert load_lenses(None).get(" News ").name == "news"
    assert load_lenses(None).get("nope") is None


def test_a_folder_adds_lenses_and_replaces_ours(folder):
    write(folder, "tides.json", TIDES)
    write(folder, "more.json", [{**TIDES, "name": "news"}, {**TIDES, "name": "moon"}])

    catalog = load_lenses(folder)

    assert catalog.get("news").domains == ("tides.example",)
    assert {"moon", "tides"} < set(catalog.names())
    assert len(catalog.names()) == 22
    assert catalog.flaws == ()


def test_a_later_file_replaces_an_earlier_one(folder):
    write(folder, "b.json", {**TIDES, "description": "later"})
    write(folder, "a.json", {**TIDES, "description": "earlier"})

    assert load_lenses(folder).get("tides").description == "later"


def test_a_lens_keeps_what_it_may_have(folder):
    engine = {"name": "e", "description": "An engine", "cx": "012:ab-c"}
    goggle = {**TIDES, "goggle": "https://tides.example/x.goggle", "domains": ["B.example/Path/"]}
    alone = {"name": "g", "description": "A goggle", "goggle": "https://tides.example/y.goggle"}
    write(folder, "a.json", [engine, goggle, alone])

    catalog = load_lenses(folder)

    assert (catalog.get("g").goggle, catalog.get("g").domains) == (alone["goggle"], ())
    assert (catalog.get("e").cx, catalog.get("e").domains) == ("012:ab-c", ())
    assert catalog.get("tides").domains == ("b.example/Path",)
    assert catalog.get("tides").goggle == "https://tides.example/x.goggle"


@pytest.mark.parametrize(
    ("change", "flaw"),
    [
        ({"name": "Bad Name"}, "name"),
        ({"name": "../x"}, "name"),
        ({"name": None}, "name"),
        ({"name": 7}, "name"),
        ({"description": None}, "description"),
        ({"description": "a\nb"}, "description"),
        ({"description": "x" * 501}, "description"),
        ({"domains": []}, "1 to 200"),
        ({"domains": ["a.example"] * 201}, "1 to 200"),
        ({"domains": "a.example"}, "1 to 200"),
        ({"domains": None}, "domains, cx or goggle"),
        ({"domains": ["co.uk"]}, "public suffix"),
        ({"domains": ["https://a.example"]}, "https:"),
        ({"domains": [{}]}, "not a host"),
        ({"cx": "a b"}, "cx"),
        ({"goggle": "http://a.example/g"}, "goggle"),
        ({"goggle": "https:///"}, "goggle"),
        ({"sites": []}, "unknown field 'sites'"),
    ],
)
def test_a_flaw_costs_one_lens_and_is_named_with_its_file(folder, log_records, change, flaw):
    write(folder, "own.json", [{**TIDES, **change}, {**TIDES, "name": "good"}])

    catalog = load_lenses(folder)

    assert catalog.get("good")
    assert catalog.get("tides") is None
    assert len(catalog.flaws) == 1
    assert catalog.flaws[0].startswith("own.json, lens 1: ")
    assert flaw in catalog.flaws[0]
    assert any(catalog.flaws[0] in record.message for record in log_records)


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "nested"),
        ("7", "expected an object"),
        ("\ud800".encode("utf-8", "surrogatepass"), "not valid JSON"),
        (" " * 300_000, "larger than 256 KiB"),
    ],
)
def test_a_file_that_is_none_of_lenses_costs_nothing_else(folder, text, flaw):
    (folder / "bad.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    write(folder, "good.json", TIDES)

    catalog = load_lenses(folder)

    assert catalog.get("tides")
    assert [result for result in catalog.flaws if "bad.json" in result and flaw in result]


def test_a_link_out_of_the_folder_is_not_followed(folder, tmp_path):
    write(tmp_path, "outside.json", TIDES)
    (folder / "link.json").symlink_to(tmp_path / "outside.json")
    (folder / "loop.json").symlink_to(folder / "loop.json")

    catalog = load_lenses(folder)

    assert catalog.get("tides") is None
    assert "link.json: a symbolic link that leads out" in catalog.flaws[0]
    assert catalog.flaws[1].startswith("loop.json: ")


def test_what_is_no_plain_file_is_not_waited_for(folder):
    os.mkfifo(folder / "pipe.json")
    (folder / "dir.json").mkdir()

    assert load_lenses(folder).flaws == (
        "dir.json: not a regular file",
        "pipe.json: not a regular file",
    )


def test_other_files_are_left_alone(folder):
    write(folder, "README.md", "no lens")

    assert load_lenses(folder).flaws == ()


def test_too_many_files_are_not_read(folder):
    for number in range(MOST_FILES + 1):
        write(folder, f"{number:03}.json", {**TIDES, "name": f"n{number}"})

    catalog = load_lenses(folder)

    assert catalog.get(f"n{MOST_FILES - 1}")
    assert catalog.get(f"n{MOST_FILES}") is None
    assert "more than 100 files" in catalog.flaws[0]


def test_a_folder_that_is_not_there_is_told(tmp_path):
    catalog = load_lenses(tmp_path / "nowhere")

    assert catalog.names() == OURS.split()
    assert "nowhere" in catalog.flaws[0]


def test_a_folder_nobody_named_is_not_looked_at(cli, tmp_path):
    place = tmp_path / "lenses"
    place.mkdir()
    write(place, "tides.json", {**TIDES, "name": "Bad Name"})

    done = cli("doctor")

    assert "sourcewright" in done.stdout
    assert "tides.json" not in done.stdout


def test_doctor_says_what_was_left_out_and_where_to_mend_it(cli, folder, tmp_path):
    write(folder, "own.json", {**TIDES, "domains": ["co.uk"]})
    write(tmp_path, "ratings.json", {"domains": {"github.io": None}})

    done = cli(
        "doctor",
        CUSTOM_LENSES_PATH=str(folder),
        SOURCEWRIGHT_REPUTATION_PATH=str(tmp_path / "ratings.json"),
    )

    text = " ".join(done.stdout.split())
    assert done.returncode == 1
    assert "own.json, lens 1: 'co.uk' is a public suffix" in text
    assert "CUSTOM_LENSES_PATH" in text
    assert "ratings.json, 'github.io'" in text
    assert "SOURCEWRIGHT_REPUTATION_PATH" in text
