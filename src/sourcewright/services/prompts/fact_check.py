"""The fact-check prompt: evidence for and against a claim."""

from sourcewright.services.prompts._template import (
    PromptArgument,
    PromptTemplate,
    PromptText,
    Values,
)


def _compose(values: Values) -> PromptText:
    where = " in the given context" if "context" in values else ""
    return PromptText(
        goal=f"Check the claim below{where}: collect the evidence for it and against it, and say"
        " how strong it is.",
        steps=(
            (
                "Split the claim into statements that can be checked one by one: who, what, how much,"
                " when."
            ),
            (
                "[[Begin a session with {sequential_search}(searchStep, stepNumber, nextStepNeeded,"
                " researchGoal), and pass its sessionId to every further call.]]"
            ),
            (
                "Search for each statement, and as carefully for its opposite:"
                "[[ {search_and_scrape}(query, claim) returns the sentences that are closest to the"
                " claim;]][[ {web_search}(query, claim) returns links with the closest sentence of"
                " each excerpt;]][[ {news_search}(query) returns reports;]]"
                "[[ {academic_search}(query) returns papers;]]"
            ),
            (
                "[[Read the sources that decide in full with {scrape_page}(url); quote the sentences"
                " that you rely on.]]"
            ),
            (
                "Follow each number and quotation to where it was first published; ten reports of one"
                " press release are one source."
            ),
            "[[For papers, see how later work cites them: {citation_graph}(paper, direction).]]",
        ),
        report=(
            (
                "for each statement: supported, contradicted, mixed, or not established, with the"
                " sentences that show it and their sources"
            ),
            "what is missing from the claim that would change its meaning",
            "how independent the sources are of each other and of those who benefit from the claim",
            "what could not be checked, and why",
        ),
    )


PROMPT = PromptTemplate(
    name="fact-check",
    title="Check a claim",
    description="Collect evidence for and against a claim from independent sources.",
    needs=("web_search", "search_and_scrape", "news_search", "academic_search"),
    arguments=(
        PromptArgument(name="claim", description="The claim to check.", required=True),
        PromptArgument(name="context", description="Where it was made, by whom, and when."),
    ),
    compose=_compose,
)
