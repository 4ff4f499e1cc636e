"""DuckDuckGo's HTML search page, which shows a bot challenge for one query."""

from html import escape
from urllib.parse import quote

from sourcewright.world import operators
from sourcewright.world.corpus import Corpus
from sourcewright.world.corpus.web import Item
from sourcewright.world.messages import Request, Response, as_page, as_redirect

HOSTS = ("html.duckduckgo.com",)
DOUBTED = "robots"
"""A word in a query that triggers the bot challenge."""

_HOURS = {"d": 24, "w": 168, "m": 744, "y": 8760}
_LONGEST = 499


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    text = request.params.get("q", "")
    if request.path != "/html/":
        return as_page("404", "", status=404)
    if any(word.startswith("!") for word in text.split()):
        return as_redirect("https://elsewhere.example/")
    if DOUBTED in text or len(text) > _LONGEST:
        return as_page("DuckDuckGo", _CHALLENGE, status=202)
    region = request.params.get("kl", "wt-wt").partition("-")[0].replace("uk", "gb")
    hours = _HOURS.get(request.params.get("df", ""))
    hits = [
        item
        for item in operators.search("web", text, newest_hours=hours)
        if region in ("wt", item.country)
    ]
    listed = [_AD, *map(_result, hits[:10])] if hits else [_NOTHING]
    inside = f'<div class="serp__results"><div id="links" class="results">{"".join(listed)}</div>'
    return as_page(f"{escape(text)} at DuckDuckGo", f"{_FORM}{inside}</div>")


def _counted(url: str) -> str:
    return f"//duckduckgo.com/l/?uddg={quote(url, safe='')}&amp;rut=0123456789abcdef"


def _result(item: Item) -> str:
    link, words = _counted(item.url), item.text.split()
    bold = " ".join([f"<b>{escape(words[0])}</b>", *map(escape, words[1:])])
    return f"""
<div class="result results_links results_links_deep web-result ">
 <div class="links_main links_deep result__body"> <!-- This is the visible part -->
  <h2 class="result__title">
   <a rel="nofollow" class="result__a" href="{link}">{escape(item.title)}</a>
  </h2>
  <div class="result__extras"><div class="result__extras__url">
   <span class="result__icon"><a rel="nofollow" href="{link}"><img width="16" /></a></span>
   <a class="result__url" href="{link}"> {item.host}{item.path} </a>
   <span>&nbsp; &nbsp; {item.published:%Y-%m-%dT%H:%M:%S}.0000000</span>
  </div></div>
  <a class="result__snippet" href="{link}">{bold}</a>
  <div class="clear"></div>
 </div>
</div>"""


_FORM = '<form action="/html/" method="post"><input name="q" /></form>'
_ADDRESS = "https://duckduckgo.com/y.js?ad_domain=shop.example&ad_provider=bingv7aa"
_AD = f"""
<div class="result results_links results_links_deep result--ad ">
 <div class="links_main links_deep result__body">
  <h2 class="result__title">
   <a rel="nofollow" class="result__a" href="{_counted(_ADDRESS)}">Buy now</a>
   <div class="result__badge-wrap"><button class="badge--ad">Ad</button></div>
  </h2>
  <a class="result__snippet" href="{_counted(_ADDRESS)}">The best of all shops.</a>
 </div>
</div>"""
_NOTHING = '<div class="no-results">No results.</div>'
_CHALLENGE = """
<form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html" method="POST">
 <div class="anomaly-modal__mask"><div class="anomaly-modal__modal" data-testid="anomaly-modal">
  <div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>
  <div class="anomaly-modal__description">Please complete the following challenge.</div>
 </div></div>
</form>"""
