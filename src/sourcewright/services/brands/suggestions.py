"""Suggestions of `brand_research`: what to do next if no brand page was found or could be read."""

from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.records.brands import Brand

_READ_HOMEPAGE = "Use scrape_page on {url} to analyse the rendered homepage"


def suggestion(brand: Brand, *, is_kept: bool) -> str | None:
    """What to do next; None if the text of the brand page is at hand.

    Args:
        brand: What was found.
        is_kept: Whether the text of the brand page could be kept as a resource.
    """
    if brand.portal_text:
        unkept = f"The text of the brand page could not be kept: use scrape_page on {brand.guidelines_url}."
        return None if is_kept else unkept
    if brand.guidelines_url:
        why = brand.guidelines_problem or "it has no text"
        return (
            f"A brand portal was found at {brand.guidelines_url}, but its content could not be"
            f" extracted ({why}). Use scrape_page on {brand.guidelines_url}."
        )
    read_homepage = _READ_HOMEPAGE.format(url=brand.homepage)
    if brand.depth == "quick":
        return f"Brand pages are not looked for with depth quick. {read_homepage}, or use depth standard."
    elsewhere = (
        f" An address for brand pages redirects to {brand.elsewhere}, which is another host: use"
        " scrape_page on it if it is the company's."
        if brand.elsewhere
        else ""
    )
    return f"{_result(brand)}{elsewhere} {read_homepage}."


def _result(brand: Brand) -> str:
    if not brand.unchecked:
        return f"No brand portal was found at the usual addresses of {brand.domain}."
    count = count_phrase(len(brand.unchecked), "page")
    return (
        f"No brand portal was found, but {count} could not be checked (see unchecked), so"
        f" {brand.domain} may have one."
    )
