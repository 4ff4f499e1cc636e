"""The American Physical Society's harvest API: PDFs of its own DOIs, under the user's agreement.

Docs: https://harvest.aps.org/docs/harvest-api
Silent on: other publishers' works, and articles that the key is not entitled to.
"""

from urllib.parse import quote

from sourcewright.base.formats.json_values import Record
from sourcewright.base.pages import FetchedFile
from sourcewright.domain.options import Option
from sourcewright.net.http.exchange import PDF
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit


class TdmAps(Provider):
    """Downloads PDFs of the Society's journals."""

    info = ProviderInfo(
        name="tdm_aps",
        label="tdm-aps",
        title="American Physical Society (text and data mining)",
        home="https://harvest.aps.org",
        base_url="https://harvest.aps.org",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("harvest.aps.org", "*.aps.org"),
        tier=3,
        prefixes=("10.1103",),
        options=(
            Option(
                name="key",
                env=("DOIGET_KEY_APS",),
                help="Your key for the Society's API. Also needs DOIGET_AGREE_TDM_APS.",
                kind="secret",
                required=True,
            ),
            Option(
                name="agreed",
                env=("DOIGET_AGREE_TDM_APS",),
                help="1 declares that you have read the Society's terms for text and data mining and agree to them.",
                kind="agreement",
            ),
        ),
    )

    async def deliver(self, doi: str) -> FetchedFile:
        return await self.upstream.download(f"/v2/journals/articles/{quote(doi, safe='/')}", PDF)

    @classmethod
    def headers(cls, options: Record) -> dict[str, str]:
        """The key in the documented header, and in the header that earlier clients sent."""
        return {"authorization": f"Bearer {options['key']}", "x-api-key": options["key"]}
