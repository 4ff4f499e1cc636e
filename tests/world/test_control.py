"""The control pages of the simulated world: its log, and faults set by other processes."""

import json

import pytest

CROSSREF = "api.crossref.org"
FINE = "/works/10.5555/fine-paper"


def switch(visitor, *faults):
    return visitor.control("/__faults", method="POST", body=json.dumps(faults))


def test_the_front_page_lists_things_to_ask_for(visitor):
    answer = visitor.control("/")

    assert answer.headers["Content-Type"].startswith("text/plain")
    assert "10.5555/retracted-paper" in answer.text
    assert CROSSREF in answer.text


def test_the_log_shows_what_was_asked_and_not_the_control_itself(visitor):
    visitor.ask(CROSSREF, f"{FINE}?a=1")

    (seen,) = visitor.control("/__log").json

    assert (seen["host"], seen["path"], seen["query"]) == (CROSSREF, FINE, "a=1")
    assert visitor.control("/__log", method="DELETE").status == 200
    assert visitor.control("/__log").json == []


def test_another_process_can_break_and_mend_a_site(visitor):
    switch(visitor, {"kind": "breaks", "host": CROSSREF, "status": 503, "retry_after": 2})

    broken = visitor.ask(CROSSREF, FINE)
    visitor.control("/__faults", method="DELETE")

    assert (broken.status, broken.headers["Retry-After"]) == (503, "2")
    assert visitor.ask(CROSSREF, FINE).status == 200


def test_another_process_can_change_what_a_site_says(visitor):
    switch(visitor, {"kind": "says", "host": CROSSREF, "payload": {"moved": True}, "times": 1})

    assert visitor.ask(CROSSREF, FINE).json == {"moved": True}
    assert visitor.ask(CROSSREF, FINE).json["status"] == "ok"


def test_faults_that_are_on_are_listed_and_mended_by_host(visitor):
    switch(
        visitor,
        {"kind": "unplugs", "host": CROSSREF, "path": "/works/*"},
        {"kind": "delays", "host": "doi.org", "seconds": 3},
    )

    kept = visitor.control(f"/__faults?host={CROSSREF}", method="DELETE").json

    assert [(fault["kind"], fault["host"], fault["seconds"]) for fault in kept] == [
        ("delays", "doi.org", 3)
    ]


@pytest.mark.parametrize(
    "nonsense",
    [
        "not json",
        "{}",
        "[1]",
        '[{"kind": "explodes", "host": "doi.org"}]',
        '[{"kind": "breaks"}]',
        '[{"kind": "breaks", "host": "doi.org", "colour": "red"}]',
        '[{"kind": "breaks", "host": "doi.org", "status": "bad"}]',
        '[{"kind": "unplugs", "host": "doi.org"}, {"kind": "explodes", "host": "doi.org"}]',
    ],
)
def test_a_fault_that_makes_no_sense_is_refused_and_changes_nothing(visitor, nonsense):
    answer = visitor.control("/__faults", method="POST", body=nonsense)

    assert answer.status == 400
    assert answer.json["error"]
    assert visitor.control("/__faults").json == []


def test_other_control_pages_do_not_exist(visitor):
    assert visitor.control("/__other").status == 404
    assert visitor.control("/__log", method="PUT").status == 404
