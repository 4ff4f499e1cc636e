"""Builds the manifest: tools, providers and options, so that the server starts fast.

With it, the server starts without importing every tool and provider.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from sourcewright.cli.reference.markdown import COMMAND
from sourcewright.domain.capabilities import roles_of
from sourcewright.domain.options import Option
from sourcewright.providers._base import Provider, ProviderInfo
from sourcewright.services.prompts import PromptTemplate
from sourcewright.tools._base import ToolSpec

Facts = dict[str, Any]


def manifest(
    specs: Sequence[ToolSpec],
    kinds: Sequence[type[Provider]],
    prompts: Sequence[PromptTemplate],
) -> str:
    """The manifest as JSON, with one entry per line, for readable diffs."""
    sections = {
        "options": options(kind.info for kind in kinds),
        "prompts": [
            {"name": prompt.name, "needs": list(prompt.needs), "listing": prompt.listing()}
            for prompt in prompts
        ],
        "providers": [
            {"name": kind.info.name, "title": kind.info.title, "roles": kind.roles()}
            for kind in kinds
        ],
        "tools": [_tool(spec, kinds) for spec in specs],
    }
    lines = [f'"generated_by": {json.dumps(COMMAND)}']
    lines += [f'"{name}": {_rows(facts)}' for name, facts in sections.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def typed_schemas(specs: Sequence[ToolSpec]) -> str:
    """The schemas of answers with types on all levels, with one tool per line."""
    rows = [f'"generated_by": {json.dumps(COMMAND)}']
    rows += (
        f"{json.dumps(spec.name)}: {json.dumps(spec.listing(typed=True)['outputSchema'])}"
        for spec in specs
    )
    return "{\n" + ",\n".join(rows) + "\n}\n"


def options(infos: Iterable[ProviderInfo]) -> list[Facts]:
    """The options of every provider, in the form that the settings read."""
    return [_option(info.name, option) for info in infos for option in info.options]


def _option(provider: str, option: Option) -> Facts:
    return {"provider": provider, **asdict(option), "env": list(option.env)}


def _tool(spec: ToolSpec, kinds: Sequence[type[Provider]]) -> Facts:
    return {
        "example": dict(spec.example),
        "family": spec.family,
        "listing": spec.listing(),
        "name": spec.name,
        **_needs(spec, kinds),
        "toolset": spec.toolset,
    }


def _needs(spec: ToolSpec, kinds: Sequence[type[Provider]]) -> Facts:
    """What a tool needs, or it is not listed: one of several providers, or a setting."""
    if spec.switch is not None:
        return {"needs": [spec.switch]}
    return {} if spec.needs is None else {"needs": _names_having(spec.needs, kinds)}


def _names_having(capability: type, kinds: Sequence[type[Provider]]) -> list[str]:
    """The providers with a capability, by the names under which their options are set."""
    [role] = roles_of(capability)
    return [kind.info_for(role).name for kind in kinds if issubclass(kind, capability)]


def _rows(facts: list[Facts]) -> str:
    rows = [json.dumps(fact, ensure_ascii=False, separators=(",", ":")) for fact in facts]
    return "[\n" + ",\n".join(rows) + "\n]" if rows else "[]"
