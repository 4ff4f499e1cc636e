"""GitHub: repositories, files, issues, pull requests and releases, read through its API.

Docs: https://docs.github.com/en/rest
Silent on: wikis, discussions and folders.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from sourcewright.base.errors import BadAnswer, NotFound, UpstreamError
from sourcewright.base.urls.github import GitHubPage, github_page_at
from sourcewright.base.urls.parts import unsupported_url_error
from sourcewright.domain.options import Option
from sourcewright.net.sources.partial_results import outcome
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit
from sourcewright.providers.github_pages import pages as forging
from sourcewright.reading.markdown.writer import Comment
from sourcewright.reading.readings import Reading

MAX_RELEASES = 10
PER_PAGE = 100
_NAME = "github_pages"
_RAW = "https://raw.githubusercontent.com"


class GithubPages(Provider):
    """Reads pages of GitHub through its REST API."""

    info = ProviderInfo(
        name=_NAME,
        title="GitHub (pages)",
        home="https://github.com",
        base_url="https://api.github.com",
        # GitHub enforces the hourly quota itself; this rate stays within its limit per minute.
        rate=RateLimit(starts=10, per_seconds=1.0, at_once=5, gap_seconds=0.05),
        allowed_hosts=("api.github.com", "raw.githubusercontent.com"),
        options=(
            Option(
                name="token",
                env=("GITHUB_TOKEN",),
                help="Token for GitHub; without one only 60 requests per hour are allowed.",
                kind="secret",
            ),
        ),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        token = options.get("token")
        authorization = {"authorization": f"Bearer {token}"} if token else {}
        return {"accept": "application/vnd.github+json, */*;q=0.5", **authorization}

    def accepts(self, url: str) -> bool:
        return github_page_at(url) is not None

    async def read_site(self, url: str) -> Reading:
        page = github_page_at(url)
        if page is None:
            raise unsupported_url_error(url, forging.SITE)
        readers = {"file": self._file, "issue": self._issue, "repository": self._repository}
        return await readers.get(page.what, self._releases)(page)

    async def _repository(self, page: GitHubPage) -> Reading:
        path = f"/repos/{page.repository}"
        repository = await outcome(self.upstream.lookup(path, read=forging.read_repository))
        if isinstance(repository, UpstreamError):
            raise await self._absence(page, repository)
        readme = await outcome(self.upstream.lookup(f"{path}/readme", read=forging.read_file))
        if isinstance(readme, str | NotFound):
            return forging.add_readme(repository, readme if isinstance(readme, str) else None)
        raise readme

    async def _absence(self, page: GitHubPage, error: UpstreamError) -> UpstreamError:
        """The error to raise when a repository could not be read.

        Without such an owner the URL may be one of GitHub's own pages, so absence is not proven.
        """
        if not isinstance(error, NotFound):
            return error
        owner = await outcome(self.upstream.lookup(f"/users/{page.owner}", read=dict))
        if isinstance(owner, NotFound):
            return BadAnswer(_NAME, f"no account named {page.owner}")
        return owner if isinstance(owner, UpstreamError) else error

    async def _file(self, page: GitHubPage) -> Reading:
        rest = "/".join(page.rest)
        text = await outcome(
            self.upstream.lookup(
                f"{_RAW}/{page.repository}/{quote(rest)}", parse=forging.read_text, read=str
            )
        )
        if isinstance(text, NotFound):
            text = await self._file_on_ref_with_slashes(page, rest, text)
        if isinstance(text, UpstreamError):
            raise text
        return forging.file_page(page.repository, page.rest, text)

    async def _file_on_ref_with_slashes(self, page: GitHubPage, rest: str, error: NotFound) -> str:
        """Read a file on a branch or tag whose name contains slashes.

        Only the list of refs tells where the ref ends and the path begins.

        Raises:
            NotFound: No ref matches.
        """
        api = f"/repos/{page.repository}"
        for kind in ("heads", "tags"):
            ref = await self.upstream.lookup(
                f"{api}/git/matching-refs/{kind}/{quote(page.rest[0])}",
                read=lambda answer: forging.matching_ref(answer, rest),
            )
            if ref is not None:
                path = quote(rest.removeprefix(f"{ref}/"))
                return await self.upstream.lookup(
                    f"{api}/contents/{path}", {"ref": ref}, read=forging.read_file
                )
        raise error

    async def _issue(self, page: GitHubPage) -> Reading:
        issue = await self.upstream.lookup(
            f"/repos/{page.repository}/issues/{page.rest[0]}", read=forging.read_issue
        )
        api, number = f"/repos/{issue.repository}", issue.number
        comments: tuple[Comment, ...] = ()
        if issue.comments:
            comments = await self._remarks(f"{api}/issues/{number}/comments")
        kinds = ("reviews", "comments") if issue.is_pull else ()
        reviews = [await self._remarks(f"{api}/pulls/{number}/{kind}") for kind in kinds]
        return forging.issue_page(issue, comments, reviews, at_once=PER_PAGE)

    async def _remarks(self, path: str) -> tuple[Comment, ...]:
        """The first page of comments; requesting more pages would soon exhaust the quota.

        `search`, not `lookup`: an issue whose comments are missing is not absent.
        """
        return await self.upstream.search(
            path, {"per_page": str(PER_PAGE)}, read=forging.read_comments
        )

    async def _releases(self, page: GitHubPage) -> Reading:
        path, name = f"/repos/{page.repository}/releases", page.repository
        if page.what == "release":
            release = "/".join(quote(part, safe="") for part in page.rest)
            return await self.upstream.lookup(
                f"{path}/{release}", read=lambda answer: forging.release_page(name, answer)
            )
        return await self.upstream.lookup(
            path,
            {"per_page": str(MAX_RELEASES + 1)},
            read=lambda answer: forging.releases_page(name, answer, most=MAX_RELEASES),
        )
