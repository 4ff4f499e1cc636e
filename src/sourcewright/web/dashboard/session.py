"""The session cookie of the dashboard: signed with the admin key, so that every server accepts it."""

import re
import secrets
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from sourcewright.domain.ports import Clock
from sourcewright.web.admin.key import AdminKeys

COOKIE = "sourcewright_dashboard"
_PATH = "/dashboard"
_SECONDS = 8 * 3600
_FORM = re.compile(r"([0-9]{1,12}\.[0-9a-f]{32})\.([0-9a-f]{64})")


@dataclass(frozen=True, slots=True, kw_only=True)
class DashboardSessions:
    """Begins and checks sessions. A new admin key ends those of the one before the previous."""

    keys: AdminKeys
    clock: Clock
    secure: bool
    """Whether browsers see the server by HTTPS."""

    def begin(self, response: Response) -> None:
        text = f"{int(self.clock.now()) + _SECONDS}.{secrets.token_hex(16)}"
        self._set(response, f"{text}.{self.keys.sign(_signed(text))}", _SECONDS)

    def end(self, response: Response) -> None:
        self._set(response, "", 0)

    def holds(self, request: Request) -> bool:
        """Whether the request carries a session that has not ended."""
        form = _FORM.fullmatch(request.cookies.get(COOKIE, ""))
        if form is None or not self.keys.is_signed(_signed(form[1]), form[2]):
            return False
        return int(form[1].partition(".")[0]) > self.clock.now()

    def _set(self, response: Response, value: str, seconds: int) -> None:
        response.set_cookie(
            COOKIE,
            value,
            max_age=seconds,
            path=_PATH,
            secure=self.secure,
            httponly=True,
            samesite="strict",
        )


def _signed(text: str) -> str:
    return f"dashboard {text}"
