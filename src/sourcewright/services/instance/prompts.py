"""MCP prompts, limited to the tools that are listed for a client."""

from collections.abc import Collection, Mapping
from typing import Any

from sourcewright.base.errors import InvalidInput, NotFound
from sourcewright.services import prompts
from sourcewright.services.instance.completion import Values, matching_values
from sourcewright.services.prompts import PromptTemplate


class Prompts:
    """The prompts that name only listed tools; one without any of its tools is not offered."""

    def __init__(self, tools: Collection[str], catalogues: Mapping[str, Values]) -> None:
        self._tools = frozenset(tools)
        self._catalogues = catalogues
        self._templates = {
            name: template
            for name, template in sorted(prompts.discover().items())
            if self._tools & set(template.needs)
        }

    def listing(self) -> list[dict[str, Any]]:
        """Return the prompts in the format of `prompts/list`."""
        return [template.listing() for template in self._templates.values()]

    def get(self, name: str, arguments: Mapping[str, str]) -> tuple[str, str]:
        """Return the description and the text of a prompt.

        Raises:
            NotFound: There is no such prompt.
            InvalidInput: An argument is missing, unknown or not valid.
        """
        template = self._template(name)
        text = template.render(arguments, self._tools)
        for argument in template.arguments:
            value = arguments.get(argument.name, "").strip()
            if argument.catalogue and value:
                self._check_known(argument.catalogue, value)
        return template.description, text

    def complete(self, name: str, argument: str, beginning: str) -> list[str]:
        """Return the values of an argument that start with `beginning`; empty if any text is allowed.

        Raises:
            NotFound: There is no such prompt.
        """
        for known in self._template(name).arguments:
            if known.name == argument:
                values = self._catalogues[known.catalogue]() if known.catalogue else known.choices
                return matching_values(values, beginning)
        return []

    def _template(self, name: str) -> PromptTemplate:
        template = self._templates.get(name)
        if template is None:
            raise NotFound("prompts", f"no prompt {name:.80}")
        return template

    def _check_known(self, catalogue: str, value: str) -> None:
        known = sorted(self._catalogues[catalogue]())
        if value not in known:
            raise InvalidInput(f"unknown {catalogue} {value!r:.80}; known: {', '.join(known)}")
