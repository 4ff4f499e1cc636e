"""The literature-review prompt: the papers on a topic."""

from sourcewright.base.errors import InvalidInput
from sourcewright.services.prompts._template import (
    STYLES,
    PromptArgument,
    PromptTemplate,
    PromptText,
    Values,
)


def _compose(values: Values) -> PromptText:
    period = _period(values)
    years = ", ".join(name for name in ("year_from", "year_to") if name in values)
    academic = f"{{academic_search}}(query, num_results{', ' + years if years else ''})"
    style = values.get("style", "apa")
    return PromptText(
        goal=f"Review the scholarly literature on the topic below{period}.",
        steps=(
            "Write down the review question, what counts as relevant, and what you leave out.",
            (
                "[[Begin a session with {sequential_search}(searchStep, stepNumber, nextStepNeeded,"
                " researchGoal), and pass its sessionId to every further call.]]"
            ),
            (
                f"Search with several wordings of the field:[[ {academic} finds papers;]]"
                "[[ {web_search}(query, lens) with a scholarly lens finds pages about papers;]]"
                "[[ {doiget_search_local}(query) searches the papers that are already in the"
                " library;]]"
            ),
            (
                "[[Follow the citations of the central papers in both directions with"
                " {citation_graph}(paper, direction).]]"
                "[[ The references of a paper are in {doiget_expand_citation_graph}(ref).]]"
            ),
            (
                "[[Resolve each paper with {doiget_resolve_paper}(ref): title, authors, year, open"
                " copies, notices.]]"
            ),
            (
                "[[Fetch open copies with {doiget_fetch_paper}(ref).]]"
                "[[ Read papers with {scrape_page}(url): an abstract is not the paper.]]"
            ),
            "Note for each paper: question, method, sample, result, limitations, and funding.",
            f"[[Write the references with {{format_bibliography}}(style, sessionId) in {style}.]]",
        ),
        report=(
            "how you searched: tools, queries, dates, what was left out and why",
            (
                "the papers by theme, not one after the other: what they agree on, where they differ"
                " and why"
            ),
            "retracted and corrected papers, marked as such",
            "gaps in the literature",
            f"the list of references ({style})",
        ),
    )


def _period(values: Values) -> str:
    """Return the period as text; the years are already validated."""
    first, last = values.get("year_from"), values.get("year_to")
    if first and last and first > last:
        raise InvalidInput(f"year_from ({first}) is after year_to ({last})")
    if first and last:
        return f", published {first} to {last}"
    if first:
        return f", published since {first}"
    return f", published up to {last}" if last else ""


PROMPT = PromptTemplate(
    name="literature-review",
    title="Review the literature",
    description="Review the papers on a topic: themes, disagreements, retractions, gaps.",
    needs=("academic_search", "doiget_resolve_paper", "web_search"),
    arguments=(
        PromptArgument(name="topic", description="The topic of the review.", required=True),
        PromptArgument(name="year_from", description="First year of publication.", is_year=True),
        PromptArgument(name="year_to", description="Last year of publication.", is_year=True),
        PromptArgument(
            name="style",
            description="Style of the references: apa (the default), mla, bibtex, ris, csl-json.",
            choices=STYLES,
        ),
    ),
    compose=_compose,
)
