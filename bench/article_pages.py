"""Article pages with known content, made from templates: the truth is known by construction.

A template says what surrounds and interrupts an article, and how it is marked up. Names of
classes are random letters, different on each page, so that nothing can be recognised by its name.
Some templates are held out: rules are made while looking at the others only.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from random import Random
from typing import NamedTuple

from article_texts import LANGUAGES, Language

_LETTERS = "bcdfghjklmnpqrstvwxz"


class ArticlePage(NamedTuple):
    """A page and its known content, without headline and standfirst."""

    name: str
    language: str
    held_out: bool
    url: str
    html: str
    headline: str
    truth: str


class Template(NamedTuple):
    """Pieces above the text, between its paragraphs, after it, and outside its main element."""

    name: str
    body: str
    above: str
    inside: str
    below: str
    around: str
    declared: bool = True
    held_out: bool = False


TEMPLATES = (
    Template("daily", "flat", "kicker title standfirst byline date share lead", "teaser figure", "topics author cards", "menu latest footer"),
    Template("weekly", "wrapped", "crumbs title byline_list lead", "pull_quote card newsletter", "share cards comments", "menu footer dialog"),
    Template("agency", "sections", "title date_line share_row", "figure_box ad", "credits cards", "menu latest footer hidden_names"),
    Template("local", "flat", "crumbs lead title standfirst_in byline", "shortcodes teaser", "comments topics", "menu footer noscript", declared=False),
    Template("magazine", "sections", "kicker title standfirst lead credits", "figure pull_quote teaser_box", "author newsletter cards", "footer dialog"),
    Template("blog", "flat", "title date_line", "figure list", "share comments", "menu latest footer", declared=False),
    Template("widths", "twice", "title_twice byline date", "teaser", "cards", "menu footer"),
    Template("data", "wrapped", "title byline share_row lead_box", "script_data ad", "topics cards", "menu footer hidden_names"),
    Template("recurring", "recurring", "title date share", "figure", "author", "menu latest footer", declared=False),
    Template("evening", "wrapped", "lead title kicker_after byline_list share", "card teaser figure_box", "author comments cards", "menu latest footer dialog", held_out=True),
    Template("regional", "sections", "crumbs title standfirst_in date_line share_row lead", "newsletter list ad", "credits topics cards", "menu footer noscript hidden_names", held_out=True),
    Template("columns", "flat", "title byline date lead_box", "pull_quote shortcodes script_data", "share author newsletter", "latest footer", declared=False, held_out=True),
)  # fmt: skip


@dataclass
class Maker:
    """Makes the pieces of one page."""

    language: Language
    draw: Random
    headline: str = ""
    _names: dict[str, str] = field(default_factory=dict)

    def name(self, role: str) -> str:
        """A random class name; the same for all elements of one role on a page."""
        if role not in self._names:
            letters = "".join(self.draw.choice(_LETTERS) for _ in range(self.draw.randint(3, 6)))
            self._names[role] = f"{letters}-{self.draw.randint(10, 99)}"
        return self._names[role]

    def tag(self, role: str, content: str, tag: str = "div", attributes: str = "") -> str:
        return f'<{tag} class="{self.name(role)}"{attributes}>{content}</{tag}>'

    def label(self, name: str) -> str:
        return self.language.labels[name]

    def link(self, text: str) -> str:
        return f'<a href="/{self.name("section")}/{self.draw.randint(1000, 9999)}">{text}</a>'

    def image(self) -> str:
        words = escape(self.language.headline(self.draw), quote=True)
        alt = f' alt="{words}"' if self.draw.random() < 0.6 else ""
        return f'<img src="/images/{self.draw.randint(1000, 9999)}.jpg"{alt}>'

    def sentence(self, sentences: int = 1) -> str:
        return self.language.paragraph(self.draw, sentences)

    def date(self) -> str:
        day, month = self.draw.randint(1, 28), self.draw.randint(1, 12)
        forms = (f"{day:02}.{month:02}.2026", f"2026-{month:02}-{day:02} 08:{day + 10}")
        return self.draw.choice(forms)

    def person(self) -> str:
        return self.draw.choice(self.language.names)

    # Above the text

    def title(self) -> str:
        return f"<h1>{self.headline}</h1>"

    def title_twice(self) -> str:
        wide = self.tag("wide", f"<h1>{self.headline}</h1>")
        return wide + self.tag("narrow", f"<h1>{self.headline}</h1>")

    def kicker(self) -> str:
        return self.tag("kicker", self.language.places[0])

    kicker_after = kicker

    def standfirst(self) -> str:
        return self.tag("lead", self.tag("standfirst", self.sentence(), "p"))

    standfirst_in = standfirst

    def byline(self) -> str:
        return self.tag("byline", f"{self.label('by')} {self.link(self.person())}")

    def byline_list(self) -> str:
        lines = (self.person(), self.date(), f"{self.draw.randint(2, 9)} {self.label('minutes')}")
        return self.tag("details", "".join(f"<li>{line}</li>" for line in lines), "ul")

    def date_line(self) -> str:
        return self.tag("date", f"{self.date()} | {self.person()}", "p")

    def share(self) -> str:
        return self.tag("share", f"<button>{self.label('share')}</button>")

    def share_row(self) -> str:
        sites = ("Facebook", "X", "WhatsApp", "E-Mail")
        row = "".join(f'<span><a href="#">{site}</a></span>' for site in sites)
        return self.tag("share", f"<span>{self.label('share')}</span>{row}")

    def crumbs(self) -> str:
        steps = (self.label("home"), self.label("news"), self.language.places[1])
        items = "".join(f"<li>{self.link(step)}</li>" for step in steps)
        return self.tag("crumbs", items, "ol")

    def lead(self) -> str:
        caption = f"{self.sentence()} {self.label('photo')}: {self.person()}"
        return f"<figure>{self.image()}<figcaption>{caption}</figcaption></figure>"

    def lead_box(self) -> str:
        credit = f"{self.label('photo')}: {self.person()}"
        return self.tag("picture", f"{self.image()}<span>{credit}</span>")

    def credits(self) -> str:
        return self.tag("credits", f"{self.label('photo')}: {self.person()}", "p")

    # Between its paragraphs

    def teaser(self) -> str:
        text = f"{self.label('more')}: {self.language.headline(self.draw)}"
        return f"<p>{self.link(text)}</p>"

    def teaser_box(self) -> str:
        links = [self.link(self.language.headline(self.draw)) for _ in range(2)]
        items = "".join(f"<li>{link}</li>" for link in links)
        return self.tag("box", f"<h4>{self.label('related')}</h4><ul>{items}</ul>")

    def card(self) -> str:
        head = f"<h3>{self.link(self.language.headline(self.draw))}</h3>"
        return self.tag("card", self.image() + head + f"<p>{self.sentence()}</p>")

    def figure(self) -> str:
        return f"<figure>{self.image()}<figcaption>{self.sentence()}</figcaption></figure>"

    def figure_box(self) -> str:
        caption = f"{self.sentence()} {self.label('photo')}: {self.person()}"
        return self.tag("picture", self.image() + self.tag("caption", caption, "p"))

    def newsletter(self) -> str:
        form = f'<form><input type="email"><button>{self.label("newsletter")}</button></form>'
        return self.tag("letter", f"<h4>{self.label('newsletter')}</h4>{form}")

    def ad(self) -> str:
        return self.tag("ad", self.label("ad"))

    def script_data(self) -> str:
        number = self.draw.randint(1000, 9999)
        data = f'{{"id":{number},"slot":"{self.name("slot")}","sizes":[[300,250],[728,90]],"lazy":true}}'
        return self.tag("data", escape(data, quote=False), "x-config")

    # After it

    def topics(self) -> str:
        links = "".join(f"<li>{self.link(place)}</li>" for place in self.language.places[:3])
        return self.tag("topics", f"<li>{self.label('tags')}</li>{links}", "ul")

    def author(self) -> str:
        text = f"<b>{self.person()}</b><p>{self.sentence()}</p>"
        return self.tag("author", self.image() + text)

    def cards(self) -> str:
        cards = "".join(self.card() for _ in range(self.draw.randint(3, 6)))
        return self.tag("cards", f"<h3>{self.label('related')}</h3>{cards}", "section")

    def comments(self) -> str:
        notes = "".join(self._comment() for _ in range(self.draw.randint(3, 6)))
        return self.tag("comments", f"<h3>{self.label('comments')}</h3>{notes}")

    def _comment(self) -> str:
        head = self.tag("who", f"{self.person()} <time>{self.date()}</time>")
        reply = f'<a href="#">{self.label("reply")}</a>'
        return self.tag("comment", f"{head}<p>{self.sentence()}</p>{reply}")

    # Around it

    def menu(self) -> str:
        links = "".join(f"<li>{self.link(place)}</li>" for place in self.language.places)
        return f"<nav><ul>{links}</ul></nav>"

    def latest(self) -> str:
        heads = [self.link(self.language.headline(self.draw)) for _ in range(5)]
        return self.tag("side", "".join(f"<div>{head}</div>" for head in heads))

    def footer(self) -> str:
        return f"<footer><p>© 2026 {self.language.places[0]}</p></footer>"

    def dialog(self) -> str:
        close = f"<button>{self.label('close')}</button>"
        inner = f"<h2>{self.label('newsletter')}</h2><p>{self.sentence(2)}</p>{close}"
        return self.tag("dialog", inner, attributes=' role="dialog" aria-modal="true"')

    def hidden_names(self) -> str:
        return f'<div class="visually-hidden"><p>{self.sentence(2)}</p></div>'

    def noscript(self) -> str:
        markup = '<div class="x"><img src="/p.gif" alt="pixel"><p>Pixel of a statistics service.</p></div>'
        return f"<noscript>{escape(markup * 5)}</noscript>"

    def pieces(self, names: str) -> list[str]:
        makers: list[Callable[[], str]] = [getattr(self, name) for name in names.split()]
        return [make() for make in makers]


@dataclass
class Text:
    """The text of an article: each part as HTML, and as it is known."""

    maker: Maker
    parts: list[tuple[str, str]] = field(default_factory=list)

    def paragraph(self) -> None:
        text = self.maker.sentence(self.maker.draw.randint(2, 4))
        self.parts.append((f"<p>{text}</p>", text))

    def heading(self) -> None:
        text = self.maker.language.headline(self.maker.draw)
        self.parts.append((f"<h2>{text}</h2>", text))

    def repeat(self, at: int) -> None:
        self.parts.append(self.parts[at])

    def interruption(self, name: str) -> None:
        special = {
            "pull_quote": self._pull_quote,
            "list": self._list,
            "shortcodes": self._shortcodes,
        }
        make = special.get(name)
        self.parts.append(make() if make else (self.maker.pieces(name)[0], ""))

    def _pull_quote(self) -> tuple[str, str]:
        text = self.maker.sentence()
        return f"<blockquote>{text}</blockquote>", text

    def _list(self) -> tuple[str, str]:
        items = [self.maker.sentence() for _ in range(3)]
        return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>", "\n".join(items)

    def _shortcodes(self) -> tuple[str, str]:
        text = self.maker.sentence(3)
        opened = '[vc_row css=".vc_9"][vc_column width="1/2"][vc_column_text]'
        return f"<p>{opened}{text}[/vc_column_text][/vc_column][/vc_row]</p>", text


def _text(maker: Maker, template: Template) -> Text:
    text, rest = Text(maker), template.inside.split()
    for number in range(maker.draw.randint(7, 11)):
        if number in (3, 6) and template.body in ("sections", "recurring"):
            text.heading()
        text.paragraph()
        if rest and number % 2:
            text.interruption(rest.pop(0))
    if template.body == "recurring":
        text.heading()
        text.repeat(0)
        text.paragraph()
    return text


def _body(maker: Maker, kind: str, parts: Sequence[str]) -> str:
    if kind == "wrapped":
        return maker.tag("body", "".join(maker.tag("part", part) for part in parts))
    if kind == "sections":
        halves = (parts[: len(parts) // 2], parts[len(parts) // 2 :])
        return maker.tag(
            "body", "".join(maker.tag("part", "".join(half), "section") for half in halves)
        )
    if kind == "twice":
        text = "".join(parts)
        return maker.tag("body", maker.tag("wide", text) + maker.tag("narrow", text))
    return maker.tag("body", "".join(parts))


def make_page(template: Template, language: Language, seed: int = 0) -> ArticlePage:
    maker = Maker(language, Random(f"{template.name} {language.code} {seed}"))
    maker.headline = language.headline(maker.draw)
    above = "".join(maker.pieces(template.above))
    text = _text(maker, template)
    body = _body(maker, template.body, [html for html, _ in text.parts])
    below = "".join(maker.pieces(template.below))
    first, *others = maker.pieces(template.around)
    story = maker.tag("story", maker.tag("head", above) + body + below)
    head = '<meta property="og:type" content="article"><meta property="article:published_time" content="2026-11-03">'
    html = (
        f'<!doctype html><html lang="{language.code}"><head><meta charset="utf-8">'
        f"<title>{maker.headline}</title>{head if template.declared else ''}</head><body>"
        f"{first}{maker.tag('page', story)}{''.join(others)}</body></html>"
    )
    number = maker.draw.randint(1000, 9999)
    slug = f"one-of-the-{template.name}-stories-{number}"
    return ArticlePage(
        f"{template.name}-{language.code}-{seed}",
        language.code,
        template.held_out,
        f"https://news.example/2026/{slug}",
        html,
        maker.headline,
        "\n".join(known for _, known in text.parts if known),
    )


def article_pages(seeds: int = 1) -> Iterator[ArticlePage]:
    """All pages: each template in each language."""
    for seed in range(seeds):
        for template in TEMPLATES:
            for language in LANGUAGES:
                yield make_page(template, language, seed)
