"""Words of the field lead, by module name or first docstring line, to the module that owns them."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "sourcewright"

OWNERS = {
    "meta refresh": "logic/pages/interstitials.py",
    "captcha": "logic/pages/interstitials.py",
    "bot challenge": "logic/pages/interstitials.py",
    "JavaScript": "logic/pages/interstitials.py",
    "lone surrogate": "logic/text/unicode.py",
    "grapheme": "logic/text/unicode.py",
    "charset": "logic/text/charsets.py",
    "BOM": "logic/text/charsets.py",
    "MIME": "logic/formats/media_types.py",
    "media type": "logic/formats/media_types.py",
    "sniff": "logic/formats/media_types.py",
    "duplicate": "logic/sources/deduplication.py",
    "truncat": "logic/markdown/sections.py",
    "outline": "logic/markdown/sections.py",
    "fallback": "services/search/fallback.py",
    "fusion": "services/search/fallback.py",
    "rate limit": "net/pace.py",
    "Retry": "net/retry.py",
    "circuit breaker": "net/breaker.py",
    "coalesc": "net/coalesce.py",
    "SSRF": "net/guard.py",
    "DNS": "net/backend.py",
    "redirect": "net/redirects.py",
    "decompress": "net/unpacking.py",
    "normalises": "logic/urls/canonical.py",
    "canonical": "logic/urls/canonical.py",
    "tracking parameter": "logic/urls/canonical.py",
    "public suffix": "logic/urls/suffixes.py",
    "sentence": "logic/language/sentences.py",
    "tokenise": "logic/language/terms.py",
    "stem": "logic/language/stems.py",
    "stop words": "logic/language/lexicon.py",
    "OpenGraph": "logic/html/embedded_data.py",
    "JSON-LD": "logic/html/linked_data.py",
    "citation_doi": "logic/pages/declared_paper.py",
    "main content": "logic/html/extraction.py",
    "hidden text": "logic/markdown/hidden_text.py",
    "CSS": "logic/css/stylesheets.py",
    "MathML": "logic/html/formulas.py",
    "serialises": "logic/formats/codec.py",
    "cache key": "logic/formats/digests.py",
    "file name": "logic/papers/file_names.py",
    "retraction": "logic/papers/notices.py",
    "licence": "logic/papers/licences.py",
    "white space": "logic/text/plain.py",
    "redaction": "logic/text/redaction.py",
    "accents": "logic/text/words.py",
    "NFKD": "logic/text/words.py",
    "network idle": "readers/browser/interception.py",
    "DevTools": "readers/browser/devtools.py",
    "right-file check": "logic/file_check/__init__.py",
    "encryption": "stores/keyvalue/sealed.py",
    "atomic": "stores/files.py",
    "group commit": "stores/logs/writer.py",
    "hash-chained": "stores/logs/chain.py",
    "full-text search": "stores/index/search.py",
    "FTS5": "stores/index/search.py",
    "quality score": "logic/sources/scoring.py",
    "rank": "services/search/ranking.py",
    "circuit": "net/breaker.py",
    "resource link": "tools/_answers/links.py",
    "handshake": "server/opening.py",
    "allowlist": "logic/urls/allowlists.py",
    "citation key": "logic/references/citation_keys.py",
    "deadline": "net/deadline.py",
    "MCP prompt": "logic/prompts/__init__.py",
    "link check": "services/pages/link_check.py",
    "Wayback": "providers/wayback.py",
    "HTML page": "logic/sessions/report_html.py",
    "BibTeX": "logic/references/bibtex_writer.py",
    "RIS": "logic/references/ris.py",
    "CSL-JSON": "logic/references/csl.py",
    "EndNote": "logic/references/readers/endnote.py",
    "citation string": "logic/references/strings/reference.py",
    "citation style": "logic/references/styles/__init__.py",
    "list of references": "logic/references/lists/sections.py",
    "same work": "logic/citations/match.py",
    "venue": "logic/citations/venues.py",
    "calibrated": "logic/citations/risk.py",
    "reciprocal rank": "logic/scholar/rank.py",
    "citation graph": "services/scholar/citation_graph.py",
    "DOT language": "logic/graph/dot.py",
    "SARIF": "cli/reports/sarif.py",
    "self-promotion": "logic/sources/recommendations.py",
    "Retraction Watch": "domain/retractions.py",
    "snapshot": "logic/pages/snapshots.py",
    "patent number": "logic/records/patent_numbers.py",
    "assignee": "logic/records/assignees.py",
    "XBRL": "logic/records/facts.py",
    "Bluebook": "logic/records/cases.py",
    "clinical trial": "logic/records/trials.py",
    "SDMX": "logic/records/sdmx_json.py",
    "JSON-stat": "logic/records/json_stat.py",
    "haversine": "logic/records/places.py",
    "refinement": "logic/sessions/refinement.py",
    "coverage": "logic/sessions/coverage.py",
    "knowledge gap": "domain/sessions.py",
    "access token": "net/tokens.py",
    "dashboard": "web/dashboard/routes.py",
    "session cookie": "web/dashboard/session.py",
    "CORS": "web/hosts.py",
    "DNS rebinding": "web/hosts.py",
    "bearer token": "web/signin/bearer.py",
    "API key": "services/instance/api_keys.py",
    "JWKS": "web/signin/key_set.py",
    "OpenID Connect": "net/identity_provider.py",
    "protected resource": "web/signin/metadata.py",
    "quota": "web/quotas.py",
    "admin key": "web/admin/access.py",
    "Prometheus": "web/metrics/counters.py",
    "readiness": "web/readiness.py",
    "OpenTelemetry": "net/traces/__init__.py",
    "OTLP": "net/traces/otlp.py",
    "trace context": "server/http/trace_context.py",
    "refused credentials": "web/refusals.py",
    "tenant": "wiring/tenancy.py",
    "consent": "services/teams/consent.py",
    "workspace": "services/teams/workspaces.py",
    "memory_save": "services/teams/memory.py",
    "analytics": "services/teams/analytics.py",
    "data subject": "services/teams/data_subject.py",
    "erasure": "stores/logs/erasure.py",
    "Redis": "stores/keyvalue/redis_server.py",
    "brand colour": "logic/brands/palette.py",
    "tone of voice": "logic/brands/voice.py",
    "logo": "logic/brands/homepage.py",
    "design token": "logic/brands/tokens.py",
    "brand guidelines": "logic/brands/guidelines.py",
}


@cache
def signposts() -> dict[str, str]:
    """By module: its name and the first line of its docstring."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        found[name] = f"{name} {words.partition(chr(10))[0]}"
    return found


@pytest.mark.parametrize("word", OWNERS)
def test_a_word_of_the_field_leads_to_the_module_that_owns_it(word: str) -> None:
    loosely = re.compile(re.escape(word).replace(r"\ ", r"[\s_-]"), re.IGNORECASE)
    hits = [name for name, text in signposts().items() if loosely.search(text)]

    assert OWNERS[word] in hits
    assert len(hits) <= 20, f"{word} leads to {len(hits)} modules"
