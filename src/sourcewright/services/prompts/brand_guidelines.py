"""The brand-guidelines prompt: what a company's brand means for one use."""

from collections.abc import Mapping

from sourcewright.services.prompts._template import (
    PromptArgument,
    PromptTemplate,
    PromptText,
    Values,
)

_DEFAULT_USE = "full_guidelines"
_GOALS: Mapping[str, str] = {
    "landing_page": "the design and copy of a landing page",
    "email": "the design and copy of an email",
    "social_post": "posts on social networks",
    "video_brief": "the brief of a video",
    "design_tokens": "a set of design tokens",
    "full_guidelines": "guidelines that a designer and a writer can work from",
}
_REPORTS: Mapping[str, tuple[str, ...]] = {
    "landing_page": (
        "a table of the palette: colour, code, role, where on the page it is used",
        "the typography: family, weight and size for headings, body text and labels",
        "a sample headline and a line below it, in the brand's tone",
        "guidance for the components: header, main section, buttons, cards, footer",
    ),
    "email": (
        "the colours of the email: background, text, links, buttons, each with its code",
        "the font stack, with fallbacks that mail programs have",
        "a sample subject line and preheader",
        "a snippet of HTML with inline styles for the header and one button",
    ),
    "social_post": (
        "notes on the visual identity: colours, logo and its clear space, style of images",
        "three sample captions, one each for X (Twitter), LinkedIn and Instagram",
        "suggested hashtags, and which of them the company itself uses",
    ),
    "video_brief": (
        "the colours of titles and motion graphics, with codes",
        "where the logo is placed, in which version, and for how long",
        "the direction for the voice-over: tone, pace, words to use and to avoid",
        "the mood of the music in one sentence",
    ),
    "design_tokens": (
        "the design tokens in a JSON code block, in the format of the W3C Design Tokens Community Group",
        "a table that maps each token to the page and the words that state it",
        "the gaps: tokens that a design system needs and no page states",
    ),
    "full_guidelines": (
        "the company in three lines, as it describes itself",
        "the palette, the typography and the logos, each with the page that states it",
        "the tone of voice: a summary, attributes, what to do and what not to do",
        "examples: one headline, one paragraph, one short post",
        "the gaps: what the company's own pages do not state",
    ),
}


def _compose(values: Values) -> PromptText:
    use, depth = values.get("use_case", _DEFAULT_USE), values.get("depth", "standard")
    tokens = ", include_design_tokens" if use == "design_tokens" else ""
    with_tokens = " and include_design_tokens true" if tokens else ""
    return PromptText(
        goal=f"Research the brand of the company below, and turn what its own pages state into"
        f" {_GOALS[use]}.",
        steps=(
            (
                f"[[Call {{brand_research}}(url, company_name, depth{tokens}) once: give the company as"
                f" url if it is a domain, else as company_name, with depth {depth}{with_tokens}.]]"
            ),
            (
                "If the answer has brand_portal_resource, read that resource: it is the text of the"
                " company's brand page, and says more than the fields."
            ),
            (
                "If the answer has a suggestion instead, follow it:"
                "[[ {scrape_page}(url) reads the homepage or the brand page;]]"
            ),
            (
                "Read coverage and unchecked. An empty field means that no page states it, except"
                " where unchecked names a page that could not be reached."
            ),
            (
                "Decide what each colour, font and logo is used for. Keep apart what a page states and"
                " what you propose, and mark every proposal as one."
            ),
            "Check that text and background have enough contrast (WCAG AA: 4.5 to 1 for body text).",
        ),
        report=(
            *_REPORTS[use],
            "for every colour, font and logo the page that states it, or the word proposal",
        ),
    )


PROMPT = PromptTemplate(
    name="brand-guidelines",
    title="Apply a brand",
    description="Research a company's brand and get guidance for one use, such as a landing page.",
    needs=("brand_research",),
    arguments=(
        PromptArgument(
            name="company",
            description="Company name or domain, such as example.com.",
            required=True,
        ),
        PromptArgument(
            name="use_case",
            description=f"One of {', '.join(_GOALS)} (default {_DEFAULT_USE}).",
            choices=tuple(_GOALS),
        ),
        PromptArgument(
            name="depth",
            description="How thoroughly: quick, standard (default) or full.",
            choices=("quick", "standard", "full"),
        ),
    ),
    compose=_compose,
)
