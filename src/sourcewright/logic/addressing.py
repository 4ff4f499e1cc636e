"""Web addresses in one spelling, so that one page found twice is known to be one page."""

import re
from collections.abc import Iterable
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}
_TRACKING = re.compile(
    r"utm_.*|pk_.*|mtm_.*|hsa_.*|_hs.*|mc_[ce]id|vero_.*|oly_.*_id|ga_.*|_ga|_gl|gclid|gclsrc|gbraid"
    r"|wbraid|dclid|fbclid|msclkid|yclid|twclid|ttclid|igshid|igsh|mkt_tok|srsltid|cmpid|icid"
    r"|ref_src|ref_url|spm|scm|s_cid|at_(?:medium|campaign|link_.*)|wt_mc|xtor|__twitter_impression",
    re.IGNORECASE,
)
_AMP_PARAMS = frozenset({("amp", "1"), ("amp", ""), ("amp", "true"), ("outputtype", "amp")})
_AMP_CACHE = re.compile(r"/(?:c|v|i|wp)/(s/)?([^/]+\.[^/]+)(/.*)?")
_GOOGLE_AMP = re.compile(r"/amp/(s/)?([^/]+\.[^/]+)(/.*)?")
_AMP_TAIL = re.compile(r"/amp/?$|\.amp(?=(?:\.html?)?$)")
_UNRESERVED = "!$&'()*+,;=:@/~-._"
_LONGEST = 8192


def canonical(url: str) -> str:
    """The address without what only counts visitors, and of the page itself rather than its AMP.

    What cannot be read as a web address comes back as it is.
    """
    try:
        parts = urlsplit(url.strip()[:_LONGEST])
        port = parts.port
    except ValueError:
        return url
    if parts.scheme.lower() not in _DEFAULT_PORTS or not parts.hostname:
        return url
    parts = _without_amp(parts._replace(scheme=parts.scheme.lower()))
    host = (parts.hostname or "").rstrip(".")
    shown = f"[{host}]" if ":" in host else host
    kept_port = f":{port}" if port and port != _DEFAULT_PORTS[parts.scheme] else ""
    return urlunsplit((parts.scheme, shown + kept_port, _path(parts), _query(parts), ""))


def identity(url: str) -> str:
    """A key that two addresses share when they lead to one page."""
    parts = urlsplit(canonical(url))
    host = parts.netloc.removeprefix("www.").removeprefix("m.")
    query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    return f"{host}{parts.path.rstrip('/')}{'?' + query if query else ''}"


def host_of(url: str) -> str:
    """The host's name in lower case; empty where there is none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_on(url: str, sites: Iterable[str]) -> bool:
    """Whether an address belongs to one of these hosts, and below its path where it has one."""
    host, path = host_of(url), urlsplit(canonical(url)).path
    for site in sites:
        name, _, below = site.lower().removeprefix("www.").partition("/")
        belongs = host == name or host.endswith(f".{name}")
        if belongs and (not below or _is_below(path.lower(), f"/{below.rstrip('/')}")):
            return True
    return False


def _is_below(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}/")


def _without_amp(parts: SplitResult) -> SplitResult:
    """The page that an AMP address stands for; its caches name it in the path."""
    host = parts.hostname or ""
    shape = None
    if host.endswith(".cdn.ampproject.org"):
        shape = _AMP_CACHE
    elif host in ("www.google.com", "google.com"):
        shape = _GOOGLE_AMP
    named = shape.fullmatch(parts.path) if shape else None
    if named:
        scheme = "https" if named[1] else "http"
        inner = SplitResult(scheme, named[2].lower(), named[3] or "/", parts.query, "")
        return _without_amp(inner) if inner.hostname != host else inner
    if host.startswith("amp.") and host.count(".") > 1:
        parts = parts._replace(netloc=parts.netloc.lower().removeprefix("amp."))
    return parts._replace(path=_AMP_TAIL.sub("", parts.path))


def _path(parts: SplitResult) -> str:
    path = quote(unquote(parts.path), safe=_UNRESERVED) if "%" not in parts.path else parts.path
    path = re.sub(r"%[0-9a-f]{2}", lambda code: code[0].upper(), path, flags=re.IGNORECASE)
    return _without_dots(path) or "/"


def _without_dots(path: str) -> str:
    """Steps down and up again lead nowhere."""
    if "/." not in path:
        return path
    steps: list[str] = []
    *way, last = path.split("/")[1:]
    for step in (*way, last if last not in (".", "..") else f"{last}/"):
        if step.rstrip("/") == "..":
            del steps[-1:]
        elif step.rstrip("/") != ".":
            steps.append(step)
    return "/" + "/".join(steps)


def _query(parts: SplitResult) -> str:
    fields = parse_qsl(parts.query, keep_blank_values=True)
    kept = [
        (name, value)
        for name, value in fields
        if not _TRACKING.fullmatch(name) and (name.lower(), value.lower()) not in _AMP_PARAMS
    ]
    # A query that loses nothing keeps its own spelling.
    return parts.query if len(kept) == len(fields) else urlencode(kept)
