"""doi.org: the DOI system itself, which resolves every registered DOI to its URL.

Docs: https://www.doi.org/doi-handbook/HTML/rest-api-response-format.html
Silent on: everything about the work except its URL.
"""

from typing import Any

from sourcewright.base.errors import NotFound
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import record_of, records_of, url_of
from sourcewright.base.formats.parsers import json_object_in
from sourcewright.base.identifiers import Doi
from sourcewright.base.works import Registration
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, own_404

FOUND, NO_SUCH_HANDLE, NO_SUCH_VALUES = 1, 100, 200


class DoiOrg(Provider):
    """Says whether a DOI is registered, and resolves it to a URL."""

    info = ProviderInfo(
        name="doi_org",
        title="DOI system",
        home="https://www.doi.org",
        base_url="https://doi.org",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("doi.org", "dx.doi.org", "hdl.handle.net"),
        decides_dois=True,
    )

    async def locate_doi(self, doi: str) -> Registration:
        path = Doi(doi).url.removeprefix(self.info.base_url)
        return await self.upstream.lookup(
            f"/api/handles{path}",
            read=lambda answer: read_answer(answer, doi),
            absent=own_404(lambda body: is_absence(body, doi)),
        )


def is_absence(body: bytes, doi: str) -> bool:
    """Whether a 404 body is the handle system's own response about this DOI.

    That of a proxy is not, nor is one about another handle.
    """
    answer = json_object_in(body)
    is_own = json_values.same_doi(json_values.doi_of(answer.get("handle")) or "", doi)
    return is_own and answer.get("responseCode") == NO_SUCH_HANDLE


def read_answer(answer: Any, doi: str) -> Registration:
    record = record_of(answer)
    handle = json_values.require_value(json_values.doi_of(record["handle"]), "handle")
    json_values.expect_doi(handle, doi)
    code = record["responseCode"]
    if code == NO_SUCH_HANDLE:
        raise NotFound("doi_org", f"no such DOI: {doi}")
    if isinstance(code, bool) or code not in {FOUND, NO_SUCH_VALUES}:
        raise ValueError(f"unknown response code {code!r}")
    return Registration(doi=handle, url=_url(record.get("values")))


def _url(values: Any) -> str | None:
    """The first URL in the handle's values; a DOI may be registered without one."""
    data = json_values.select_field(values, "type", "URL", "data")
    strings = [one.get("value") for one in records_of(data) if one.get("format") == "string"]
    return next(filter(None, map(url_of, strings)), None)
