"""`sourcewright brand`: colours, logos, fonts and tone of voice of a company."""

from collections.abc import Mapping
from typing import Any

import click

from sourcewright.cli import options, render, tool_calls

_MAX_UNCHECKED = 5


@click.command("brand")
@click.argument("company", nargs=-1, required=True, metavar="NAME-OR-DOMAIN")
@click.option("--depth", type=click.Choice(("quick", "standard", "full")), default="standard")
@click.option("--tokens", is_flag=True, help="Print W3C design tokens (DTCG) and nothing else.")
@options.as_json
def command(company: tuple[str, ...], depth: str, tokens: bool, as_json: bool) -> int:
    """Show what a company's own pages state about its brand.

    A name is looked up by a web search; a domain or URL is taken as it is.

    \b
    Example:
      sourcewright brand lumenfjord.example
      sourcewright brand Saltwick --depth full
    """
    arguments: dict[str, Any] = {"company_name": " ".join(company), "depth": depth}
    if tokens:
        arguments["include_design_tokens"] = True
    result = tool_calls.call("brand_research", arguments).structured
    if as_json:
        render.data(result)
        return render.exit_code(result)
    if render.is_failure(result):
        return render.failure(result)
    if tokens:
        render.data(result["design_tokens"])
        return 0
    _show(result)
    return 0


def _show(brand: Mapping[str, Any]) -> None:
    identity = brand["identity"]
    render.line(identity.get("name", identity["domain"]), bold=True)
    known = ("domain", "tagline", "description", "industry", "founded", "location")
    rows = {name: identity[name] for name in known if name in identity} | brand["social"]
    render.fields(rows.items())
    _show_colours(brand["colors"]["palette"])
    _show_logos(brand["logos"])
    _show_fonts(brand["typography"])
    _show_tone(brand["tone_of_voice"])
    render.line()
    if page := brand.get("guidelines_url"):
        render.fields([("brand page", page)])
    missing = [name for name, level in brand["coverage"].items() if level == "none"]
    if missing:
        render.status(f"stated by none of the pages: {', '.join(missing).replace('_', ' ')}")
    for one in brand["unchecked"][:_MAX_UNCHECKED]:
        render.status(f"could not be checked: {one['url']} ({one['reason']})")
    if (more := len(brand["unchecked"]) - _MAX_UNCHECKED) > 0:
        render.status(f"could not be checked: {more} more (see --json)")
    if advice := brand.get("suggestion"):
        render.status(advice.replace("scrape_page on", "`sourcewright read` on"))


def _show_colours(palette: list[Mapping[str, Any]]) -> None:
    if palette:
        render.line()
        rows = [(one["hex"], one.get("name", ""), one.get("role", "")) for one in palette]
        render.table(("colour", "name", "role"), rows)


def _show_logos(logos: Mapping[str, Any]) -> None:
    rows = [
        (use, _size(logo), logo["url"] if isinstance(logo, dict) else logo)
        for use, logo in logos.items()
    ]
    if rows:
        render.line()
        render.table(("logo", "size", "file"), rows)


def _size(logo: Any) -> str:
    sized = isinstance(logo, dict) and "width" in logo and "height" in logo
    return f"{logo['width']}x{logo['height']}" if sized else ""


def _show_fonts(fonts: Mapping[str, Any]) -> None:
    rows = [
        (use, fonts[use]["family"], " ".join(map(str, fonts[use]["weights"])))
        for use in ("heading", "body", "mono")
        if use in fonts
    ]
    if rows:
        render.line()
        render.table(("font", "family", "weights"), rows)


def _show_tone(tone: Mapping[str, Any]) -> None:
    rules = tone["dos_and_donts"]
    rows = {
        "tone": tone.get("summary", ""),
        "attributes": ", ".join(tone["attributes"]),
        "do": "; ".join(rules["dos"]),
        "do not": "; ".join(rules["donts"]),
    }
    if any(rows.values()):
        render.line()
        render.fields((name, value) for name, value in rows.items() if value)
