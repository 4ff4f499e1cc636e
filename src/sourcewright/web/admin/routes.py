"""Routes of the administration: every path under /admin leads to its endpoints."""

from starlette.routing import Route

from sourcewright.logic.text.redaction import Masker
from sourcewright.web.admin.access import AdminAccess
from sourcewright.web.admin.consent import consent_endpoints
from sourcewright.web.admin.endpoints import ROOT, AdminApi
from sourcewright.wiring import Application


def admin_routes(access: AdminAccess, application: Application) -> list[Route]:
    teams = application.services.teams
    endpoints = [*consent_endpoints(teams.consents)]
    mask = Masker(application.services.parts.settings.secrets())
    api = AdminApi(access, endpoints, mask)
    return [Route(ROOT, api), Route(ROOT + "/{rest:path}", api)]
