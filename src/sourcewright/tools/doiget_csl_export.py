"""The doiget_csl_export tool."""

from typing import Any, Literal

from pydantic import Field

from sourcewright.references.csl import csl_item
from sourcewright.services.library.export import format_entries
from sourcewright.services.research import Research
from sourcewright.tools._answers.library import (
    ExportArguments,
    ExportedPaper,
    RefFailed,
    failure_of,
)
from sourcewright.tools._base import Answer, tool
from sourcewright.tools._results import UNTRUSTED, Trust


class CslEntry(ExportedPaper):
    """One paper."""

    csl: list[dict[str, Any]] | None = Field(
        description="One CSL item; null if the paper is not in the library."
    )


class CslExport(Answer):
    """The papers, in input order."""

    ok: Literal[True] = True
    entries: list[CslEntry | RefFailed]
    trust: Trust = UNTRUSTED


@tool(
    title="Export CSL-JSON",
    toolset="papers",
    family="doiget",
    read_only=True,
    idempotent=True,
    open_world=False,
    example={"refs": ["10.1371/journal.pone.0033693"]},
)
async def doiget_csl_export(ask: ExportArguments, research: Research) -> CslExport:
    """Write papers of the library as CSL-JSON.

    WHEN TO USE: To cite papers of the library with Pandoc or Zotero.
    INPUTS: refs: DOIs or arXiv ids.
    OUTPUTS: { ok: true, entries: [{ ref, safekey, csl: [item] } | { ref, error }] } in input order; csl is null if the paper is not in the library.
    COSTS: Milliseconds. No network.
    SIDE EFFECTS: None.
    LIMITS: 200 refs.
    """
    lookups = await research.library.exporter.look_up(ask.refs)
    items = format_entries(lookups, lambda entry, key, _: [csl_item(entry, key)], ask.key_template)
    return CslExport(
        entries=[
            failure_of(one) or CslEntry(ref=one.ref, safekey=one.key, csl=items.get(one.key or ""))
            for one in lookups
        ]
    )
