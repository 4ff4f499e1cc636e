"""`/admin/workspaces` and `/admin/workspace/members`: who may use which workspace."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sourcewright.services.teams.workspaces import Workspaces
from sourcewright.web.admin.endpoints import AdminEndpoint
from sourcewright.web.admin.requests import AdminAsk, Name, UserAsk


class WorkspaceAsk(AdminAsk):
    """Names one workspace."""

    workspace_id: Name


class MemberAsk(UserAsk, WorkspaceAsk):
    """Names one user and one workspace."""


def workspace_endpoints(workspaces: Workspaces) -> Sequence[AdminEndpoint]:
    async def listed(_ask: AdminAsk) -> Mapping[str, Any]:
        return {"workspaces": [asdict(one) for one in await workspaces.workspaces()]}

    async def create(ask: WorkspaceAsk) -> Mapping[str, Any]:
        return {**ask.model_dump(), "created": await workspaces.create(ask.workspace_id)}

    async def delete(ask: WorkspaceAsk) -> Mapping[str, Any]:
        count = await workspaces.delete(ask.workspace_id)
        return {**ask.model_dump(), "deleted": True, "contributions": count}

    async def members(ask: WorkspaceAsk) -> Mapping[str, Any]:
        entries = await workspaces.members(ask.workspace_id)
        rows = [
            {"tenant_id": one.tenant, "user_id": one.user, "added_at": one.added_at}
            for one in entries
        ]
        return {**ask.model_dump(), "members": rows}

    async def add(ask: MemberAsk) -> Mapping[str, Any]:
        added = await workspaces.add_member(ask.workspace_id, ask.owner(), creating=True)
        return {**ask.model_dump(), "added": added}

    async def remove(ask: MemberAsk) -> Mapping[str, Any]:
        removed = await workspaces.remove_member(ask.workspace_id, ask.owner())
        return {**ask.model_dump(), "removed": removed}

    members_path = "/workspace/members"
    return (
        AdminEndpoint(method="GET", path="/workspaces", ask=AdminAsk, run=listed),
        AdminEndpoint(method="POST", path="/workspaces", ask=WorkspaceAsk, run=create),
        AdminEndpoint(method="DELETE", path="/workspaces", ask=WorkspaceAsk, run=delete),
        AdminEndpoint(method="GET", path=members_path, ask=WorkspaceAsk, run=members),
        AdminEndpoint(method="POST", path=members_path, ask=MemberAsk, run=add),
        AdminEndpoint(method="DELETE", path=members_path, ask=MemberAsk, run=remove),
    )
