"""Batches, in the one version of the protocol that has them."""


def call(request_id, tool, word=""):
    params = {"name": tool, "arguments": {"word": word}}
    return {"id": request_id, "method": "tools/call", "params": params}


def cancel(request_id):
    return {"method": "notifications/cancelled", "params": {"requestId": request_id}}


def ids(answers):
    return [answer["id"] for answer in answers]


def test_a_batch_is_answered_by_one_line_with_all_its_answers(batching):
    batching.batch(
        call(1, "hold"), call("b", "nonesuch"), {"method": "notifications/x"}, call(3, "release")
    )
    batching.call(4, "echo")

    answers = {answer["id"]: answer for answer in batching.receive()}
    single = batching.receive()

    assert set(answers) == {1, "b", 3}
    assert answers["b"]["error"]["code"] == -32602
    assert single["id"] == 4


def test_what_is_no_message_is_refused_inside_the_answer(batching):
    batching.batch({"id": 1}, {"id": 2, "method": "ping"}, {"id": 3, "method": "initialize"})

    answers = batching.receive()

    assert sorted(ids(answers)) == [1, 2, 3]
    assert [answer["error"]["code"] for answer in answers if "error" in answer] == [-32600] * 2


def test_a_cancelled_request_does_not_keep_its_batch_from_being_answered(batching):
    batching.batch(call(1, "hold", "x"), call(2, "echo"))
    batching.send(cancel(1))

    assert ids(batching.receive()) == [2]


def test_two_requests_with_one_id_in_a_batch_are_both_answered(batching):
    batching.batch(call(1, "echo"), call(1, "echo"))

    assert ids(batching.receive()) == [1, 1]


def test_a_batch_that_asks_nothing_is_not_answered(batching):
    batching.batch({"method": "notifications/x"}, cancel(7))
    batching.call(1, "echo")

    assert batching.receive()["id"] == 1


def test_an_empty_batch_is_refused(batching):
    batching.batch()

    assert batching.receive()["error"]["code"] == -32600
