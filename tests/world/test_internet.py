"""The simulated internet: the requests it has seen, and the faults that a test sets."""

import http.client
import socket
from threading import Thread

import pytest

from sourcewright.world.internet import World

CROSSREF = "api.crossref.org"
FINE = "/works/10.5555/fine-paper"


def test_a_host_nobody_simulates_answers_502_and_is_named(visitor):
    answer = visitor.ask("nowhere.example", "/")

    assert answer.status == 502
    assert answer.json["host"] == "nowhere.example"


def test_what_was_asked_is_seen(internet, visitor):
    visitor.ask("Doi.org:443", "/api/handles/10.5555%2Fx?type=URL", headers={"X-Mark": "yes"})

    (seen,) = internet.requests_to("doi.org")
    assert (seen.method, seen.path) == ("GET", "/api/handles/10.5555%2Fx")
    assert (seen.query, seen.headers["x-mark"]) == ("type=URL", "yes")


def test_requests_are_kept_apart_by_host_and_can_be_forgotten(internet, visitor):
    visitor.ask(CROSSREF, FINE)
    visitor.ask("api.datacite.org", "/dois/10.5555/none")

    assert [seen.host for seen in internet.seen] == [CROSSREF, "api.datacite.org"]
    assert len(internet.requests_to(CROSSREF)) == 1

    internet.forget()
    assert internet.seen == []


def test_one_connection_carries_many_requests(visitor):
    sockets = set()
    for _ in range(3):
        visitor.ask(CROSSREF, FINE)
        sockets.add(visitor.connection.sock)

    assert len(sockets) == 1
    assert None not in sockets


def test_a_broken_status_comes_with_its_retry_after_and_body(internet, visitor):
    internet.breaks(CROSSREF, status=429, retry_after=7, body=b"{}", content_type="text/x")

    answer = visitor.ask(CROSSREF, FINE)

    assert (answer.status, answer.body) == (429, b"{}")
    assert (answer.headers["Retry-After"], answer.headers["Content-Type"]) == ("7", "text/x")


def test_a_fault_may_end_by_itself(internet, visitor):
    internet.breaks(CROSSREF, status=500, times=2)

    statuses = [visitor.ask(CROSSREF, FINE).status for _ in range(3)]

    assert statuses == [500, 500, 200]


def test_faults_with_a_number_come_in_order_before_those_that_last(internet, visitor):
    internet.breaks(CROSSREF, status=503)
    internet.breaks(CROSSREF, status=500, times=1)
    internet.breaks(CROSSREF, status=429, times=1)
    internet.breaks(CROSSREF, status=504)

    statuses = [visitor.ask(CROSSREF, FINE).status for _ in range(4)]

    assert statuses == [500, 429, 504, 504]


def test_a_fault_meets_only_its_host_and_its_decoded_path(internet, visitor):
    internet.breaks(CROSSREF, status=500, path="/works/10.5555/fine-*")

    assert visitor.ask(CROSSREF, "/works/10.5555%2Ffine-paper").status == 500
    assert visitor.ask(CROSSREF, "/works/10.5555/closed-paper").status == 200
    assert visitor.ask("doi.org", "/works/10.5555/fine-paper").status == 404


@pytest.mark.parametrize("body", [b"busy", "busy"])
def test_a_broken_answer_may_be_given_as_text_or_bytes(internet, visitor, body):
    internet.breaks(CROSSREF, status=503, body=body)

    assert visitor.ask(CROSSREF, FINE).body == b"busy"


def test_words_and_redirects_may_end_by_themselves(internet, visitor):
    internet.says(CROSSREF, [], times=1)
    internet.redirects(CROSSREF, "/elsewhere", times=1)

    statuses = [visitor.ask(CROSSREF, FINE).status for _ in range(3)]

    assert statuses == [200, 302, 200]


@pytest.mark.parametrize(
    ("payload", "body"),
    [({"a": ["é"]}, b'{"a": ["\\u00e9"]}'), (None, b"null"), (b"\xff\x00", b"\xff\x00")],
)
def test_a_site_can_be_made_to_say_anything(internet, visitor, payload, body):
    internet.says(CROSSREF, payload, status=201)

    answer = visitor.ask(CROSSREF, FINE)

    assert (answer.status, answer.body) == (201, body)
    assert answer.headers["Content-Type"] == "application/json"


def test_an_unplugged_site_closes_without_an_answer(internet, visitor):
    internet.unplugs(CROSSREF)

    with pytest.raises(http.client.RemoteDisconnected):
        visitor.ask(CROSSREF, FINE)


@pytest.mark.parametrize("body", [b"", b"x", b"a longer body"])
def test_a_cut_answer_ends_before_the_length_it_promised(internet, visitor, body):
    internet.says(CROSSREF, body)
    internet.cuts(CROSSREF, times=1)

    with pytest.raises(http.client.IncompleteRead) as cut:
        visitor.ask(CROSSREF, FINE)
    visitor.connection.close()
    assert cut.value.partial == body[: len(body) // 2]
    assert visitor.ask(CROSSREF, FINE).body == body


def test_a_dripping_answer_goes_on_until_the_client_leaves(internet, visitor):
    internet.says(CROSSREF, b"0123456789")
    internet.drips(CROSSREF, times=1)

    visitor.connection.request("GET", FINE, headers={"Host": CROSSREF})
    answer = visitor.connection.getresponse()
    begun = answer.read(7)
    answer.close()
    visitor.connection.close()

    assert begun == b"01234  "
    assert internet.waits_for_hang_up(CROSSREF)
    assert visitor.ask(CROSSREF, FINE).body == b"0123456789"


def test_a_redirect_leads_where_it_was_told(internet, visitor):
    internet.redirects(CROSSREF, "http://10.0.0.1/", status=307)

    answer = visitor.ask(CROSSREF, FINE)

    assert (answer.status, answer.headers["Location"]) == (307, "http://10.0.0.1/")


def test_a_late_answer_still_comes(internet, visitor):
    internet.delays(CROSSREF, 0.02)

    assert visitor.ask(CROSSREF, FINE).status == 200
    assert internet.hung_up(CROSSREF) == 0


def test_a_delay_adds_to_another_fault(internet, visitor):
    internet.delays(CROSSREF, 0.02)
    internet.breaks(CROSSREF, status=503)

    assert visitor.ask(CROSSREF, FINE).status == 503


def test_a_client_that_hangs_up_while_waiting_is_noticed(internet):
    internet.delays(CROSSREF, 60)
    host, port = internet.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=300) as client:
        client.sendall(f"GET {FINE} HTTP/1.1\r\nHost: {CROSSREF}\r\n\r\n".encode())
        assert internet.waits_for_request(CROSSREF)
        assert internet.hung_up(CROSSREF) == 0

    assert internet.waits_for_hang_up(CROSSREF)
    assert internet.hung_up(CROSSREF) == 1
    assert internet.hung_up("doi.org") == 0


def test_waiting_for_what_never_happens_ends(internet):
    assert internet.waits_for_request(CROSSREF, seconds=0.01) is False
    assert internet.waits_for_hang_up(CROSSREF, seconds=0.01) is False


def test_mending_one_host_leaves_the_others_broken(internet, visitor):
    internet.breaks(CROSSREF, status=500)
    internet.breaks("doi.org", status=500)

    internet.mends(CROSSREF)

    assert visitor.ask(CROSSREF, FINE).status == 200
    assert visitor.ask("doi.org", "/ra/10.5555").status == 500

    internet.mends()
    assert visitor.ask("doi.org", "/ra/10.5555").status == 200


def test_more_than_a_hundred_clients_are_served_at_once(visit):
    with World() as world:
        world.delays("doi.org", 60)
        visitors = [visit(world.url) for _ in range(130)]
        for visitor in visitors:
            visitor.connection.request("GET", "/ra/10.5555", headers={"Host": "doi.org"})

        assert world.waits_for_request("doi.org", 130)
        assert visit(world.url).ask(CROSSREF, FINE).status == 200


def test_stopping_ends_every_delay_and_is_no_hang_up(visit):
    world = World().start()
    world.delays(CROSSREF, 600)
    visitor = visit(world.url)
    ended = []

    def wait() -> None:
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            visitor.ask(CROSSREF, FINE)
        ended.append(True)

    waiting = Thread(target=wait)
    waiting.start()
    assert world.waits_for_request(CROSSREF)
    world.stop()
    waiting.join(60)

    assert ended == [True]
    assert world.hung_up() == 0


def test_a_world_can_be_started_again_on_the_port_it_had(visit):
    with World() as world:
        url = world.url
    with World(int(url.rsplit(":", 1)[1])) as again:
        assert again.url == url
        assert visit(url).ask(CROSSREF, FINE).status == 200


def test_a_world_that_is_not_started_has_no_address():
    with pytest.raises(RuntimeError):
        assert World().url


def test_a_head_request_gets_the_headers_alone(visitor):
    answer = visitor.ask(CROSSREF, FINE, method="HEAD")

    assert (answer.status, answer.body) == (200, b"")
    assert int(answer.headers["Content-Length"]) > 100
    assert visitor.ask(CROSSREF, FINE).json["status"] == "ok"
