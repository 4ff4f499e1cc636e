"""The comprehensive-research prompt: a topic researched in steps."""

from typing import Final

from sourcewright.services.prompts._template import (
    PromptArgument,
    PromptTemplate,
    PromptText,
    Values,
)

_STEPS: Final = {"quick": 2, "standard": 3, "deep": 6}
_DEFAULT: Final = "standard"


def _compose(values: Values) -> PromptText:
    depth = values.get("depth", _DEFAULT)
    filters = [f"{name}: the value above" for name in ("lens", "provider") if name in values]
    with_filters = f" ({', '.join(filters)}, where a tool supports it)" if filters else ""
    return PromptText(
        goal="Research the topic below, and report what is known about it, how well it is"
        " established, and what is open.",
        steps=(
            (
                f"Plan {_STEPS[depth]} research steps (depth {depth}): different questions about the"
                " topic, not different wordings of one."
            ),
            (
                "[[Begin a session with {sequential_search}(searchStep, stepNumber, nextStepNeeded,"
                " researchGoal), and pass its sessionId to every further call, so that nothing is lost"
                " with your context.]]"
            ),
            (
                f"In each step, search{with_filters}:"
                "[[ {search_and_scrape}(query, num_results) finds, reads and ranks pages;]]"
                "[[ {web_search}(query, num_results) finds links;]]"
                "[[ {academic_search}(query, num_results) finds papers;]]"
                "[[ {news_search}(query) finds what is recent;]]"
            ),
            (
                "[[Read the best sources in full with {scrape_page}(url); a search result's excerpt is"
                " not a reading.]]"
            ),
            (
                "[[Record what each step has shown with {sequential_search}(searchStep, stepNumber,"
                " nextStepNeeded, sessionId, knowledgeGap), and what it left open as knowledgeGap.]]"
            ),
            "Look for sources that disagree, and for the primary source behind what many repeat.",
            "[[Export the session with {research_export}(sessionId, format, verify_links).]]",
        ),
        report=(
            "a summary of at most ten lines",
            "the findings, each with its sources and with how well they support it",
            "where sources disagree, and what would decide between them",
            "open questions",
            "numbered references",
        ),
    )


PROMPT = PromptTemplate(
    name="comprehensive-research",
    title="Research a topic",
    description="Research a topic in several steps, and report findings, disagreements and gaps.",
    needs=("web_search", "search_and_scrape", "academic_search"),
    arguments=(
        PromptArgument(name="topic", description="What to research.", required=True),
        PromptArgument(
            name="depth",
            description="How many steps: quick (2), standard (3, the default) or deep (6).",
            choices=tuple(_STEPS),
        ),
        PromptArgument(
            name="lens", description="Search only the sites of this lens.", catalogue="lens"
        ),
        PromptArgument(
            name="provider", description="Search with this engine only.", catalogue="provider"
        ),
    ),
    compose=_compose,
)
