"""`/admin/data`: everything that is kept of one user, exported or erased (data subject rights)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sourcewright.services.teams.data_subject import DataSubjects, KindReport
from sourcewright.web.admin.endpoints import AdminEndpoint, Incomplete
from sourcewright.web.admin.requests import UserAsk


class ErasureAsk(UserAsk):
    """Whose data is erased; a dry run only counts."""

    dry_run: bool = False


def data_endpoints(subjects: DataSubjects) -> Sequence[AdminEndpoint]:
    async def export(ask: UserAsk) -> Mapping[str, Any]:
        return _answer(ask, await subjects.export(ask.owner()))

    async def erase(ask: ErasureAsk) -> Mapping[str, Any]:
        return _answer(ask, await subjects.erase(ask.owner(), dry_run=ask.dry_run))

    return (
        AdminEndpoint(method="GET", path="/data", ask=UserAsk, run=export),
        AdminEndpoint(method="DELETE", path="/data", ask=ErasureAsk, run=erase),
    )


def _answer(ask: UserAsk, reports: Sequence[KindReport]) -> Mapping[str, Any]:
    kinds = [{name: one for name, one in asdict(report).items() if one} for report in reports]
    answer = {**ask.model_dump(), "kinds": [{"count": 0, **one} for one in kinds]}
    failed = [report.kind for report in reports if report.action == "failed"]
    if failed:
        raise Incomplete(f"failed: {', '.join(failed)}; try again", answer)
    return answer
