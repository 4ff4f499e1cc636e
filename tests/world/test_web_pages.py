"""The pages that the simulated search engines find."""

import re

from sourcewright.world.corpus.web import items
from sourcewright.world.sites.web_pages import HOSTS


def report_in(page):
    return re.search(r"<p>(The agency reports on [^<]+)</p>", page.text)[1]


def test_what_the_engines_know_on_these_hosts_can_be_read(visitor):
    known = [one for one in items() if one.host in HOSTS and one.kind != "images"]

    pages = {one.url: visitor.ask(one.host, one.path) for one in known}

    assert len(known) > 50
    assert {page.status for page in pages.values()} == {200}
    assert all(one.title in pages[one.url].text for one in known)


def test_every_page_of_a_topic_prints_the_same_report(visitor):
    topic = [one for one in items() if one.host in HOSTS and one.title.startswith("Rye bread (w")]

    reports = {report_in(visitor.ask(one.host, one.path)) for one in topic}

    assert len(topic) > 2
    assert len(reports) == 1


def test_a_page_that_nobody_wrote_is_not_there(visitor):
    assert visitor.ask(HOSTS[0], "/web/nothing.html").status == 404
