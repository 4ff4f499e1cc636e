"""The tools that the conformance suite calls, as tools of our pipeline."""

import asyncio
import json
from dataclasses import replace
from typing import Annotated, Any

from exchanges import current_exchange
from fixture_content import AUDIO, IMAGE, Content, NoArguments, embedded
from mcp.server.subscriptions import PromptsListChanged, ToolsListChanged
from mcp_types import SamplingMessage, TextContent
from pydantic import ConfigDict, Field

from sourcewright.base.calls import current_call
from sourcewright.base.errors import ResearchError
from sourcewright.tools._base import Ask, Run, ToolSpec, tool


def fixture(run: Run) -> ToolSpec:
    """Turn a function into a tool, as those of ours are."""
    spec = tool(
        title="Fixture of the conformance suite",
        toolset="conformance",
        family="research",
        read_only=True,
        idempotent=True,
        open_world=False,
        example={},
    )(run)
    return replace(spec, description=f"The fixture {spec.name}.")


@fixture
async def test_simple_text(ask: NoArguments, research: Any) -> Content:
    return Content(text="This is a simple text response for testing.")


@fixture
async def test_image_content(ask: NoArguments, research: Any) -> Content:
    return Content(text="One red pixel:", others=[IMAGE])


@fixture
async def test_audio_content(ask: NoArguments, research: Any) -> Content:
    return Content(text="One silent sample:", others=[AUDIO])


@fixture
async def test_embedded_resource(ask: NoArguments, research: Any) -> Content:
    content = embedded("test://embedded-resource", "This is an embedded resource content.")
    return Content(text="A resource:", others=[content])


@fixture
async def test_multiple_content_types(ask: NoArguments, research: Any) -> Content:
    data = json.dumps({"test": "data", "value": 123})
    content = embedded("test://mixed-content-resource", data, "application/json")
    return Content(text="Multiple content types test:", others=[IMAGE, content])


@fixture
async def test_error_handling(ask: NoArguments, research: Any) -> Content:
    raise ResearchError("This tool intentionally returns an error for testing")


@fixture
async def test_tool_with_progress(ask: NoArguments, research: Any) -> Content:
    for done in (0, 50, 100):
        await current_call.get().progress(f"step {done} of 100", done=done, total=100)
        await asyncio.sleep(0)
    return Content(text="Three steps were reported.")


async def _log(*messages: str) -> None:
    context = current_exchange.get().context
    for message in messages:
        await context.session.send_log_message(
            "info", message, related_request_id=context.request_id
        )
        await asyncio.sleep(0)


@fixture
async def test_tool_with_logging(ask: NoArguments, research: Any) -> Content:
    await _log("Tool execution started", "Tool processing data", "Tool execution completed")
    return Content(text="Three messages were logged.")


@fixture
async def test_logging_tool(ask: NoArguments, research: Any) -> Content:
    await _log("This is sent only to those who ask for log messages.")
    return Content(text="One message was logged.")


class PromptArguments(Ask):
    """The text that the client's model is given."""

    prompt: str


@fixture
async def test_sampling(ask: PromptArguments, research: Any) -> Content:
    context = current_exchange.get().context
    question = SamplingMessage(role="user", content=TextContent(type="text", text=ask.prompt))
    reply = await context.session.create_message(
        [question], max_tokens=100, related_request_id=context.request_id
    )
    return Content(text=f"LLM response: {getattr(reply.content, 'text', '')}")


class MessageArguments(Ask):
    """The message that the user is shown."""

    message: str


async def _elicit(message: str, properties: dict[str, Any], required: list[str]) -> Content:
    context = current_exchange.get().context
    schema = {"type": "object", "properties": properties, "required": required}
    reply = await context.session.elicit_form(message, schema, context.request_id)
    given = json.dumps(reply.content)
    return Content(text=f"Elicitation completed: action={reply.action}, content={given}")


@fixture
async def test_elicitation(ask: MessageArguments, research: Any) -> Content:
    properties = {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    }
    return await _elicit(ask.message, properties, list(properties))


@fixture
async def test_elicitation_sep1034_defaults(ask: NoArguments, research: Any) -> Content:
    states = ["active", "inactive", "pending"]
    properties = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": states, "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await _elicit("Please check what is filled in", properties, [])


@fixture
async def test_elicitation_sep1330_enums(ask: NoArguments, research: Any) -> Content:
    plain = ["option1", "option2", "option3"]
    titled = [{"const": f"value{number}", "title": f"Option {number}"} for number in (1, 2, 3)]
    names = {"enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]}
    properties = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", **names},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await _elicit("Please choose", properties, [])


@fixture
async def test_trigger_tool_change(ask: NoArguments, research: Any) -> Content:
    await current_exchange.get().bus.publish(ToolsListChanged())
    return Content(text="Subscribers were notified.")


@fixture
async def test_trigger_prompt_change(ask: NoArguments, research: Any) -> Content:
    await current_exchange.get().bus.publish(PromptsListChanged())
    return Content(text="Subscribers were notified.")


class RegionArguments(Ask):
    """An argument that the client repeats in a header."""

    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]


@fixture
async def test_custom_headers(ask: RegionArguments, research: Any) -> Content:
    return Content(text=f"The region is {ask.region}.")


_ADDRESS_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


class AddressArguments(Ask):
    """Arguments that are published with many keywords of JSON Schema 2020-12."""

    model_config = ConfigDict(extra="allow")

    @classmethod
    def model_json_schema(cls, **_options: Any) -> dict[str, Any]:
        return _ADDRESS_SCHEMA


@fixture
async def json_schema_2020_12_tool(ask: AddressArguments, research: Any) -> Content:
    return Content(text="The arguments were accepted.")
