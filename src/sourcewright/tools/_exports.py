"""What the two exports share: the references asked for, and what is said of each."""

from pydantic import BaseModel, ConfigDict, Field

from sourcewright.services.exporting import Sought
from sourcewright.tools._base import Ask
from sourcewright.tools._problems import DoigetProblem, problem_of

MOST_REFS = 200


class ExportAsked(Ask):
    """The papers to write."""

    refs: list[str] = Field(
        min_length=1,
        max_length=MOST_REFS,
        description="DOIs or arXiv ids of papers in the library.",
    )
    key_template: str | None = Field(
        default=None,
        description="Citation keys from {author}, {year}, {title_word}, {safekey}.",
    )


class PaperExported(BaseModel):
    """One paper."""

    model_config = ConfigDict(extra="forbid")

    ref: str = Field(description="What was asked, word for word.")
    safekey: str | None


class RefFailed(BaseModel):
    """A reference that could not be read, or whose entry could not."""

    model_config = ConfigDict(extra="forbid")

    ref: str
    error: DoigetProblem


def failure_of(sought: Sought) -> RefFailed | None:
    return RefFailed(ref=sought.ref, error=problem_of(sought.error)) if sought.error else None
