"""The doiget_bibtex_export tool."""

from typing import Literal

from pydantic import Field

from sourcewright.references.bibtex_writer import write_bibtex
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


class BibtexEntry(ExportedPaper):
    """One paper."""

    bibtex: str | None = Field(description="Null if the paper is not in the library.")


class BibtexExport(Answer):
    """The papers, in input order."""

    ok: Literal[True] = True
    entries: list[BibtexEntry | RefFailed]
    trust: Trust = UNTRUSTED


@tool(
    title="Export BibTeX",
    toolset="papers",
    family="doiget",
    read_only=True,
    idempotent=True,
    open_world=False,
    example={"refs": ["10.1371/journal.pone.0033693"]},
)
async def doiget_bibtex_export(ask: ExportArguments, research: Research) -> BibtexExport:
    """Write papers of the library as BibTeX.

    WHEN TO USE: To cite papers of the library in LaTeX.
    INPUTS: refs: DOIs or arXiv ids.
    OUTPUTS: { ok: true, entries: [{ ref, safekey, bibtex } | { ref, error }] } in input order; bibtex is null if the paper is not in the library.
    COSTS: Milliseconds. No network.
    SIDE EFFECTS: None.
    LIMITS: 200 refs.
    """
    lookups = await research.library.exporter.look_up(ask.refs)
    texts = format_entries(
        lookups, lambda entry, key, _: write_bibtex(entry, key), ask.key_template
    )
    return BibtexExport(
        entries=[
            failure_of(one)
            or BibtexEntry(ref=one.ref, safekey=one.key, bibtex=texts.get(one.key or ""))
            for one in lookups
        ]
    )
