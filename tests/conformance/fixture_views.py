"""The resources and prompts that the conformance suite reads."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from exchanges import current_exchange
from fixture_content import IMAGE, PNG, embedded, text_content
from fixture_questions import form

from sourcewright.base.errors import NotFound

_TEMPLATE = re.compile(r"test://template/([^/]+)/data")
_RESOURCES: Mapping[str, tuple[str, str | bytes]] = {
    "test://static-text": ("text/plain", "This is the content of the static text resource."),
    "test://static-binary": ("image/png", PNG),
    "test://watched-resource": ("text/plain", "Watched resource content"),
}


class FixtureResources:
    """Resources of the suite's own naming."""

    def listing(self) -> list[dict[str, str]]:
        return [
            {"uri": uri, "name": uri, "description": "A fixture.", "mimeType": kind}
            for uri, (kind, _) in _RESOURCES.items()
        ]

    def templates(self) -> list[dict[str, str]]:
        uri = "test://template/{id}/data"
        return [{"uriTemplate": uri, "name": "template", "mimeType": "application/json"}]

    async def read(self, uri: str) -> tuple[str, str | bytes]:
        if uri in _RESOURCES:
            return _RESOURCES[uri]
        if found := _TEMPLATE.fullmatch(uri):
            data = {"id": found[1], "templateTest": True, "data": f"Data for ID: {found[1]}"}
            return "application/json", json.dumps(data)
        raise NotFound("resources", f"no resource {uri}")

    def complete(self, _uri: str, _argument: str, _beginning: str) -> Sequence[str]:
        return []


class FixturePrompts:
    """Prompts of the suite's own naming."""

    _ARGUMENTS: Mapping[str, tuple[str, ...]] = {
        "test_simple_prompt": (),
        "test_prompt_with_arguments": ("arg1", "arg2"),
        "test_prompt_with_embedded_resource": ("resourceUri",),
        "test_prompt_with_image": (),
        "test_input_required_result_prompt": (),
    }

    def listing(self) -> list[dict[str, Any]]:
        return [
            {
                "name": name,
                "description": "A fixture.",
                "arguments": [{"name": one, "required": True} for one in arguments],
            }
            for name, arguments in self._ARGUMENTS.items()
        ]

    def get(
        self, name: str, arguments: Mapping[str, str]
    ) -> tuple[str, str | Sequence[dict[str, Any]]]:
        match name:
            case "test_simple_prompt":
                content: str | list[dict[str, Any]] = "This is a simple prompt for testing."
            case "test_prompt_with_arguments":
                content = f"arg1='{arguments.get('arg1')}', arg2='{arguments.get('arg2')}'"
            case "test_prompt_with_embedded_resource":
                resource = embedded(arguments.get("resourceUri", ""), "Embedded content.")
                content = [resource, text_content("Please process the resource above.")]
            case "test_prompt_with_image":
                content = [IMAGE, text_content("Please analyze the image above.")]
            case "test_input_required_result_prompt":
                content = _prompt_from_input()
            case _:
                raise NotFound("prompts", f"no prompt {name}")
        return "A fixture.", content

    def complete(self, _name: str, _argument: str, beginning: str) -> Sequence[str]:
        return [word for word in ("paris", "park", "party") if word.startswith(beginning)]


def _prompt_from_input() -> str:
    exchange = current_exchange.get()
    given = exchange.content_of("user_context")
    if given is None:
        question = form("What context should the prompt use?", context="string")
        exchange.require_input({"user_context": question})
    return f"Use this context: {(given or {}).get('context')}"
