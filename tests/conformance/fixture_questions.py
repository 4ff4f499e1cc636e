"""The tools of the conformance suite that need input of the client before they answer."""

from typing import Any

from exchanges import current_exchange
from fixture_content import Content, NoArguments
from fixture_tools import fixture


def form(message: str, **properties: str) -> dict[str, Any]:
    """Ask the user to fill in fields of these types."""
    fields = {name: {"type": kind} for name, kind in properties.items()}
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    params = {"mode": "form", "message": message, "requestedSchema": schema}
    return {"method": "elicitation/create", "params": params}


def sampling(text: str) -> dict[str, Any]:
    """Ask the client's model."""
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {
        "method": "sampling/createMessage",
        "params": {"messages": [message], "maxTokens": 100},
    }


ROOTS = {"method": "roots/list", "params": {}}
_NAME = form("What is your name?", name="string")
_CONFIRM = form("Please confirm", ok="boolean")


def _ask(requests: dict[str, Any], state: str | None = None) -> Content:
    current_exchange.get().require_input(requests, state)
    return Content(text="The client has to answer first.")


def _greeting() -> Content:
    given = current_exchange.get().content_of("user_name")
    return Content(text=f"Hello, {given.get('name')}!") if given else _ask({"user_name": _NAME})


def _confirmation(state: str) -> Content:
    """Answer once the user has confirmed, and the client has sent the state again."""
    exchange = current_exchange.get()
    if exchange.state == state and exchange.content_of("confirm"):
        return Content(text="state-ok")
    return _ask({"confirm": _CONFIRM}, state)


@fixture
async def test_input_required_result_elicitation(ask: NoArguments, research: Any) -> Content:
    return _greeting()


@fixture
async def test_streaming_elicitation(ask: NoArguments, research: Any) -> Content:
    return _greeting()


@fixture
async def test_input_required_result_request_state(ask: NoArguments, research: Any) -> Content:
    return _confirmation("first")


@fixture
async def test_input_required_result_tampered_state(ask: NoArguments, research: Any) -> Content:
    return _confirmation("untouched")


@fixture
async def test_input_required_result_sampling(ask: NoArguments, research: Any) -> Content:
    reply = current_exchange.get().content_of("capital_question")
    if reply is None:
        return _ask({"capital_question": sampling("What is the capital of France?")})
    return Content(text=str(reply.get("text")))


@fixture
async def test_input_required_result_list_roots(ask: NoArguments, research: Any) -> Content:
    given = current_exchange.get().responses.get("client_roots")
    if not isinstance(given, dict):
        return _ask({"client_roots": ROOTS})
    return Content(text=f"The client has {len(given.get('roots', ()))} roots.")


@fixture
async def test_input_required_result_multiple_inputs(ask: NoArguments, research: Any) -> Content:
    requests = {"user_name": _NAME, "greeting": sampling("Generate a greeting"), "roots": ROOTS}
    exchange = current_exchange.get()
    if exchange.state == "asked" and set(requests) <= set(exchange.responses):
        return Content(text="All three were answered.")
    return _ask(requests, "asked")


@fixture
async def test_input_required_result_multi_round(ask: NoArguments, research: Any) -> Content:
    exchange = current_exchange.get()
    if exchange.state == "second" and exchange.content_of("step2"):
        return Content(text="Both steps were answered.")
    if exchange.state == "first" and exchange.content_of("step1"):
        return _ask({"step2": form("What is your favorite color?", color="string")}, "second")
    return _ask({"step1": _NAME}, "first")


@fixture
async def test_input_required_result_capabilities(ask: NoArguments, research: Any) -> Content:
    """Asks only what the client has declared that it can answer."""
    questions = {"elicitation": _NAME, "sampling": sampling("Generate a greeting"), "roots": ROOTS}
    exchange = current_exchange.get()
    return _ask({key: one for key, one in questions.items() if exchange.has_capability(key)})


@fixture
async def test_missing_capability(ask: NoArguments, research: Any) -> Content:
    exchange = current_exchange.get()
    if not exchange.has_capability("sampling"):
        exchange.refuse_without("sampling")
    return Content(text="The client can be asked for samples.")
