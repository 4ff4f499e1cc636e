"""The competitive-analysis prompt: a company and its market."""

from sourcewright.services.prompts._template import (
    PromptArgument,
    PromptTemplate,
    PromptText,
    Values,
)


def _compose(values: Values) -> PromptText:
    market = " in the market below" if "market" in values else ""
    find_market = () if "market" in values else ("Determine in which market the company sells.",)
    return PromptText(
        goal=f"Analyse the position of the company below{market}, from sources that others can"
        " check.",
        steps=(
            *find_market,
            (
                "[[Begin a session with {sequential_search}(searchStep, stepNumber, nextStepNeeded,"
                " researchGoal), and pass its sessionId to every further call.]]"
            ),
            "Identify the company: legal name, registered office, owner; different companies share names.",
            (
                "Collect what the company says about itself and what others say about it, and keep the"
                " two separate:[[ {search_and_scrape}(query) finds, reads and ranks pages;]]"
                "[[ {web_search}(query, site) searches one site, such as the company's own;]]"
                "[[ {news_search}(query) finds reports;]]"
                "[[ {brand_research}(company_name) reads its public identity;]]"
            ),
            "[[Take figures from filings where there are any: {filing_search}(query).]]",
            "[[See what it has patented: {patent_search}(query).]]",
            (
                "Find its competitors, from the market's side and not only from the company's own"
                " comparison pages, and collect the same facts about each."
            ),
            "[[Read pages that matter in full with {scrape_page}(url).]]",
            (
                "[[Check lists of recommendations for self-promotion with"
                " {verify_recommendation}(recommendations).]]"
            ),
        ),
        report=(
            "the company in ten lines: what it sells, to whom, how it earns",
            (
                "a table of the competitors by the same facts, with a source for every cell, and empty"
                " where there is none"
            ),
            "strengths and weaknesses, each with its evidence",
            "recent changes, with dates",
            "what is only the company's own statement, and what could not be found out",
        ),
    )


PROMPT = PromptTemplate(
    name="competitive-analysis",
    title="Analyse a company",
    description="Analyse a company against its competitors, with a source for every statement.",
    needs=("web_search", "search_and_scrape", "news_search"),
    arguments=(
        PromptArgument(name="company", description="Name or domain.", required=True),
        PromptArgument(name="market", description="The market to compare in."),
    ),
    compose=_compose,
)
