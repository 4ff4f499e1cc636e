"""The session cookie of the dashboard: signed with the admin key, so that every server accepts it.

One that has signed out is kept with the revoked tokens until it would have expired: the browser
forgets the cookie, and whoever has copied it can do nothing with it.
"""

import re
import secrets
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from sourcewright.base.clocks import Clock
from sourcewright.domain.users.credentials import CredentialStore
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
    credentials: CredentialStore
    secure: bool
    """Whether browsers see the server by HTTPS."""

    def begin(self, response: Response) -> None:
        text = f"{int(self.clock.now()) + _SECONDS}.{secrets.token_hex(16)}"
        self._set(response, f"{text}.{self.keys.sign(_signed(text))}", _SECONDS)

    def forget(self, response: Response) -> None:
        """Remove the cookie from the browser."""
        self._set(response, "", 0)

    async def end(self, request: Request) -> None:
        """End the session of the request for everybody who has its cookie.

        Raises:
            ResearchError: That cannot be stored.
        """
        if (text := self._signed_text(request)) is not None:
            until = float(text.partition(".")[0])
            await self.credentials.revoke_token(_signed(text), forget_at=until)

    async def holds(self, request: Request) -> bool:
        """Whether the request carries a session that has not ended.

        Raises:
            ResearchError: It cannot be found out whether it has signed out.
        """
        text = self._signed_text(request)
        return text is not None and not await self.credentials.is_token_revoked(_signed(text))

    def _signed_text(self, request: Request) -> str | None:
        """What is signed in the cookie of the request; None if it has none, or has expired."""
        form = _FORM.fullmatch(request.cookies.get(COOKIE, ""))
        if form is None or not self.keys.is_signed(_signed(form[1]), form[2]):
            return None
        return form[1] if int(form[1].partition(".")[0]) > self.clock.now() else None

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
