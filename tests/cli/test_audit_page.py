"""The page of `sourcewright audit --html`: what it says of an entry, and that it can be read anywhere."""

import html
import json
import re

import pytest
from page_viewer import CONTRASTS, viewer

from sourcewright.reading.browser.browser import find_chromium

pytestmark = pytest.mark.anyio

LIST = """@article{fine, title={Tidal mixing and the memory of estuaries}, year={2019},
  author={Adaeze Okonkwo and Åsa Lindqvist and 太郎 山田}, journal={Journal of Tidal Research},
  doi={10.5555/fine-paper}}
@article{a_long_key_without_a_break_that_goes_on_and_on, title={The acoustics of frozen lakes},
  author={Percival Fabricant}, year={2004}, doi={10.5555/closed-paper}}
@article{bells, title={Harbour bells cure insomnia: a randomised trial}, year={2016},
  doi={10.5555/retracted-paper}}
@article{ghost, title={Of a paper that was never registered}, doi={10.5555/never-registered-2019}}
@book{lamps, title={On the keeping of lamps in winter}, author={Umber, Ida}, year={1911}}
"""


@pytest.fixture
def listed(tmp_path):
    path = tmp_path / "references.bib"
    path.write_text(LIST, encoding="utf-8")
    return str(path)


@pytest.fixture
def page(cli, listed):
    return cli("audit", listed, "--html").stdout


def articles(page):
    """The text of each entry with a problem, and the links in it."""
    return [
        (
            " ".join(html.unescape(re.sub(r"<[^>]+>", " ", one)).split()),
            re.findall(r'href="(.*?)"', one),
        )
        for one in re.findall(r"<article.*?</article>", page, re.DOTALL)
    ]


def test_every_entry_has_its_title_its_key_and_its_doi_as_a_link(page):
    entries = articles(page)

    assert [text.partition(" ")[0] for text, _ in entries] == ["retracted", "not", "wrong", "not"]
    for text, name in zip(
        [text for text, _ in entries],
        [
            "Harbour bells cure insomnia",
            "never registered",
            "acoustics of frozen",
            "lamps in winter",
        ],
        strict=True,
    ):
        assert name in text
    assert "https://doi.org/10.5555/retracted-paper" in entries[0][1]
    assert "https://doi.org/10.5555/retraction-notice" in entries[0][1]
    assert "a_long_key_without_a_break_that_goes_on_and_on · line 4" in entries[2][0]
    assert "year 2004 2011" in entries[2][0]
    sound = page.partition("<details><summary>1 reference without a problem")[2]
    assert "Tidal mixing and the memory of estuaries" in sound


def test_no_two_kinds_of_problem_have_one_colour(page):
    colours = re.findall(r"<article style=\"--kind:var\((--\w+)\)", page)
    values = [re.search(rf"{name}:(#\w+)", page)[1] for name in colours]

    assert len(set(zip(colours, values, strict=True))) == len(set(values)) == 4


def test_an_address_that_is_none_of_the_web_is_no_link(cli, tmp_path):
    path = tmp_path / "list.bib"
    path.write_text('@misc{x, title={<b>x</b>}, url={javascript:alert("1")}}\n')

    page = cli("audit", str(path), "--html").stdout

    assert "<b>x" not in page
    assert 'href="javascript' not in page


async def test_it_can_be_read_on_a_phone_and_in_the_dark(page, tmp_path):
    found = find_chromium()
    if found.path is None:
        pytest.skip(f"the tests of pages need a browser: {found.reason}")
    file = tmp_path / "page.html"
    file.write_text(page, encoding="utf-8")
    async with viewer(found.path, tmp_path / "profile") as browser, browser.tab() as tab:
        for width in (320, 380, 1280):
            for dark in (False, True):
                await tab.look(width=width, dark=dark)
                await tab.open(file.as_uri())
                assert await tab.read(CONTRASTS) == []
                assert await tab.read(
                    "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
                )
                narrowest = await tab.read(
                    "Math.min(...[...document.querySelectorAll('td')].map((one) => one.clientWidth))"
                )
                assert narrowest > 150


def test_no_reason_is_called_the_words_of_a_record(cli, listed):
    log = json.loads(cli("audit", listed, "--sarif").stdout)

    messages = {one["ruleId"]: one["message"]["text"] for one in log["runs"][0]["results"]}
    assert "year: 2004, but the record says 2011" in messages["mismatch"]
    assert "retracted on 2018-02-14 (10.5555/retraction-notice)" in messages["retracted"]
    assert "no source could confirm it: No index has it" in messages["unchecked"]
    assert all("the record says No" not in text for text in messages.values())


@pytest.mark.parametrize(
    ("words", "code", "is_said"),
    [((), 0, True), (("--strict",), 1, False), (("--fail-on", "dead_link"), 0, False)],
    ids=str,
)
def test_the_last_line_says_that_problems_do_not_fail(cli, listed, words, code, is_said):
    done = cli("audit", listed, *words)
    as_json = cli("audit", listed, *words, "--json")

    assert (done.returncode, as_json.returncode) == (code, code)
    last = "the exit code is 0, although 4 entries have a problem"
    assert done.stdout.splitlines()[-1].startswith(last) == is_said
    assert (last in as_json.stderr) == is_said


def test_a_list_without_a_problem_is_strictly_right(cli, tmp_path):
    path = tmp_path / "fine.bib"
    path.write_text(LIST.partition("@article{a_long")[0], encoding="utf-8")

    done = cli("audit", str(path), "--strict")

    assert done.returncode == 0
    assert "exit code" not in done.stdout


def test_strict_ends_as_verify_does_where_a_check_could_not_run(cli, tmp_path, internet):
    path = tmp_path / "fine.bib"
    path.write_text(LIST.partition("@article{a_long")[0], encoding="utf-8")
    internet.breaks("api.crossref.org", status=503)

    assert cli("audit", str(path), "--strict").returncode == 1
    assert cli("verify", "10.5555/fine-paper").returncode == 1
