"""Builds the reference page of the MCP prompts."""

from collections.abc import Sequence

from sourcewright.cli.reference.markdown import code, codes, page, table
from sourcewright.services.prompts import PromptTemplate

_LEAD = "A client can request these prompts by name; each is one message with instructions for the model.\nA prompt names only tools that are listed, and is offered only if at least one of the tools that it needs is listed.\nCompletions exist for arguments with fixed values, and for `lens` and `provider`."

_HEAD = ("Argument", "Required", "Meaning")


def prompts_page(prompts: Sequence[PromptTemplate]) -> str:
    return page("Prompts", _LEAD, *map(_section, prompts))


def _section(prompt: PromptTemplate) -> str:
    rows = [
        (code(one.name), "yes" if one.required else "no", one.description)
        for one in prompt.arguments
    ]
    needs = f"Needs one of {codes(prompt.needs)}."
    return "\n\n".join([f"## {prompt.name}", prompt.description, needs, table(_HEAD, rows)])
