"""Routes of the administration: every path under /admin leads to its endpoints."""

from starlette.routing import Route

from sourcewright.base.text.redaction import Masker
from sourcewright.web.admin.access import AdminAccess
from sourcewright.web.admin.consent import consent_endpoints
from sourcewright.web.admin.credentials import credential_endpoints
from sourcewright.web.admin.data import data_endpoints
from sourcewright.web.admin.endpoints import ROOT, AdminApi
from sourcewright.web.admin.usage import (
    analytics_endpoints,
    cache_endpoints,
    session_endpoints,
)
from sourcewright.web.admin.workspaces import workspace_endpoints
from sourcewright.wiring import Application


def admin_routes(access: AdminAccess, application: Application) -> list[Route]:
    teams, parts = application.services.teams, application.services.parts
    settings = parts.settings
    endpoints = [
        *consent_endpoints(teams.consents),
        *workspace_endpoints(teams.workspaces),
        *data_endpoints(teams.data_subjects),
        *credential_endpoints(parts.api_keys, accepted=settings.api_keys),
        *cache_endpoints(parts.answers, application.figures().cache, parts.auditor),
        *session_endpoints(application.services.sessions.store, parts.auditor),
        *analytics_endpoints(parts.statistics),
    ]
    mask = Masker(settings.secrets())
    api = AdminApi(access, endpoints, mask)
    return [Route(ROOT, api), Route(ROOT + "/{rest:path}", api)]
