"""A session as Markdown, JSON and HTML: everything is in it, and nothing hostile acts."""

import json
import re
from html.parser import HTMLParser

import pytest

from sourcewright.base.links import LinkCheck
from sourcewright.services.sessions.report import safe_link
from sourcewright.services.sessions.report_html import html_report
from sourcewright.services.sessions.report_json import session_object
from sourcewright.services.sessions.report_markdown import markdown_report

from . import reports
from .reports import ARCHIVED, DEAD, PAPER, checked_report, report, session


class Page(HTMLParser):
    """What a browser would find in a page: elements, links, text."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    @property
    def links(self) -> list[str]:
        return [attrs["href"] or "" for tag, attrs in self.tags if tag == "a"]


@pytest.mark.parametrize("render", [markdown_report, session_object, html_report])
def test_the_same_session_is_rendered_the_same_way(render):
    assert render(checked_report()) == render(checked_report())


def test_markdown_has_every_part_in_order():
    text = markdown_report(checked_report())

    headings = re.findall(r"^#{1,3} .*$", text, re.MULTILINE)
    assert [one.partition(" ")[2].partition("?")[0] for one in headings] == [
        "Do turbines harm eels",
        "Summary",
        "Steps",
        "Step 1 (superseded by step 5)",
        "Step 2",
        "Step 3 (branch ecology from step 2)",
        "Step 4 (branch eels \\<i\\>only\\</i\\> from step 3)",
        "Step 5 (revises step 1)",
        "Step 6 (branch ecology from step 2)",
        "Step 7",
        "Open Questions",
        "Answered Questions",
        "Sources",
    ]
    assert "**Reasoning:** To begin with" in text
    assert "- Brochures\n- \\<b\\>bold\\</b\\>" in text
    assert (
        "*Confidence: low · Sources: [1] · Raises question 1 · Recorded: 2026-11-16T18:01:00Z*"
        in text
    )
    assert "(question 1, raised in step 1, answered in step 5)" in text
    assert "Exported 2026-11-16T19:00:00Z from session 0b9d6bcd-1, tenant default" in text


def test_markdown_lists_sources_with_their_standing():
    _, _, sources = markdown_report(checked_report()).partition("## Sources\n\n")
    first, second, third, fourth, fifth = sources.splitlines()[:5]

    assert first.startswith(f"1. [Turbines and fish](<{PAPER}>) **Corrected")
    assert "doi:10.1038/1](<https://doi.org/10.1038/1>) · peer-reviewed · reputation high" in first
    assert "**Retracted 2021-05-04 (according to publisher in crossref).**" in second
    assert "link could not be checked: no answer \\<in\\> time" in second
    assert "](" not in third.replace("\\](javascript:alert(3))", "")
    assert "`javascript:alert(4)`" in third
    assert f"link is dead (HTTP 404) · [archived 2019-06-15](<{ARCHIVED}>)" in fourth
    assert fifth == "5. `https://reader:secret@b.example/`"


@pytest.mark.parametrize(
    ("own", "shown"),
    [
        ("# heading", "\\# heading"),
        ("a\n---\nb", "a\n\\---\nb"),
        ("```\ncode", "\\```\ncode"),
        ("> quote", "\\> quote"),
        ("<b>x</b> & y", "&lt;b>x&lt;/b> &amp; y"),
        ("![x](http://a.example/x.png)", "\\![x](http://a.example/x.png)"),
        ("[x](javascript:1)", "[x]\\(javascript:1)"),
        ("[x](https://a.example)", "[x](https://a.example)"),
        ("- a\n- **b**", "- a\n- **b**"),
        ("1. a", "1. a"),
    ],
)
def test_what_the_caller_wrote_keeps_its_form_and_breaks_no_other(own, shown):
    text = markdown_report(
        report_of(steps=(reports.step(1, own),), branches=(), gaps=(), sources=())
    )

    assert f"### Step 1\n\n{shown}\n\n*Recorded" in text


def report_of(**changes):
    from dataclasses import replace

    return replace(report(), session=session(**changes))


def test_json_has_the_whole_session_in_the_names_of_the_contract():
    answer = session_object(checked_report())

    assert json.loads(json.dumps(answer)) == answer
    assert (answer["tenantId"], answer["createdAt"]) == ("default", "2026-11-16T18:00:00Z")
    assert answer["researchGoal"] == reports.GOAL
    assert answer["completed"] is False
    first, _, third, *_ = answer["steps"]
    assert (first["stepNumber"], first["supersededBy"]) == (1, 5)
    assert (third["branchId"], third["branchFromStep"]) == ("ecology", 2)
    assert first["knowledgeGap"] == "How many are there?"
    assert answer["branches"][0] == {"branchId": "ecology", "branchFromStep": 2, "firstStep": 3}
    assert (answer["gaps"][0]["id"], answer["gaps"][0]["closedInStep"]) == (1, 5)
    assert "closedInStep" not in answer["gaps"][1]
    paper, retracted, _, dead, _ = answer["sources"]
    assert (paper["verified"], paper["httpStatus"]) == (True, 403)
    assert retracted["retraction"] == {
        "kind": "retraction",
        "date": "2021-05-04",
        "source": "crossref",
    }
    assert [one["kind"] for one in paper["notices"]] == ["correction"]
    assert "verified" not in retracted
    assert (dead["verified"], dead["archivedUrl"]) == (False, ARCHIVED)
    assert dead["verifiedAt"] == "2026-11-16T19:00:00Z"


def test_without_a_link_check_nothing_is_said_about_links():
    answer = session_object(report())

    assert not {"verified", "httpStatus", "verifiedAt"} & {
        name for source in answer["sources"] for name in source
    }
    assert "link" not in Page(html_report(report())).text.partition("Sources")[2]


def test_the_page_shows_everything_as_text():
    page = Page(html_report(checked_report()))

    assert reports.GOAL in page.text
    assert reports.HOSTILE in page.text.partition("Steps")[2]
    assert "superseded by step 5" in page.text
    assert "branch ecology from step 2" in page.text
    assert "Retracted 2021-05-04 (according to publisher in crossref)" in page.text
    assert "link is dead (HTTP 404)" in page.text
    assert "0 of 5 answer" not in page.text
    assert "1 of 5 answer, 1 dead, 3 not checked" in page.text
    assert page.text.count("eels <i>only</i>") >= 2


def test_the_page_has_no_script_and_nothing_that_is_loaded():
    page = Page(html_report(checked_report()))

    tags = {tag for tag, _ in page.tags}
    assert not tags & {"script", "img", "iframe", "object", "embed", "form", "base", "video"}
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]
    loaded = [attrs for tag, attrs in page.tags if tag == "link" or "src" in attrs]
    assert loaded == [{"rel": "icon", "href": "data:,"}]
    style = html_report(checked_report()).partition("<style>")[2].partition("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style
    policies = [attrs["content"] for _, attrs in page.tags if "http-equiv" in attrs]
    assert [one.partition(";")[0] for one in policies] == ["default-src 'none'"]


def test_the_page_links_to_web_addresses_and_its_own_parts_alone():
    page = Page(html_report(checked_report()))

    outside = {link for link in page.links if not link.startswith("#")}
    inside = {link[1:] for link in page.links if link.startswith("#")}
    assert outside == {
        PAPER,
        DEAD,
        ARCHIVED,
        "https://a.example/2",
        "https://doi.org/10.1038/1",
        "https://doi.org/10.5555/2",
    }
    assert inside <= {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    assert {f"step-{number}" for number in range(1, 8)} <= inside


def test_branches_are_drawn_from_the_step_that_they_depart_from():
    rows = re.findall(r"<li><svg.*?</svg>", html_report(report()))

    dots = [re.search(r'class="dot l(\d)( superseded)?"', row).groups() for row in rows]
    assert [int(lane) for lane, _ in dots] == [0, 0, 1, 2, 0, 1, 0]
    assert [bool(old) for _, old in dots] == [True, *[False] * 6]
    curves = [re.findall(r'class="l(\d)" d="M\d+ 18C', row) for row in rows]
    assert curves == [[], ["1"], ["2"], [], [], [], []]
    through = [sorted(re.findall(r'<path class="l(\d)"', row)) for row in rows]
    assert through == [
        ["0"],
        ["0", "1"],
        ["0", "1", "2"],
        ["0", "1", "2"],
        ["0", "1"],
        ["0", "1"],
        ["0"],
    ]


def test_an_empty_session_is_a_page_too():
    empty = report_of(steps=(), branches=(), gaps=(), sources=())

    assert Page(html_report(empty)).text.count("None recorded.") == 3
    assert markdown_report(empty).count("None recorded.") == 2
    assert session_object(empty)["steps"] == []


def test_more_branches_than_lanes_share_the_last_one():
    steps = tuple(reports.step(n, branch=f"b{n}" if n > 1 else None) for n in range(1, 40))
    last = reports.step(40, branch="b2")
    branches = tuple(reports.Branch(id=f"b{n}", from_step=1, first_step=n) for n in range(2, 40))

    markup = html_report(report_of(steps=(*steps, last), branches=branches))

    assert set(re.findall(r'class="dot l(\d)', markup)) <= set("012345")


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,x",
        "https://",
        "https:///path",
        "https://user@host.example/",
        "https://host.example:port/",
        "https://host.example/\u202e",
        "https://host.example/a b",
        'https://host.example/"x',
        "https://host.example/\n",
        f"https://host.example/{'x' * 3000}",
        "//host.example/",
        "",
    ],
)
def test_what_is_no_plain_web_address_is_not_linked(url):
    assert safe_link(url) is None


def test_a_page_that_now_leads_home_is_said_to():
    check = LinkCheck(
        state="live", http_status=200, problem="now redirects to the home page of a.example"
    )
    text = markdown_report(report(checks={PAPER: check}))

    assert "link works (HTTP 200): now redirects to the home page of a.example" in text
