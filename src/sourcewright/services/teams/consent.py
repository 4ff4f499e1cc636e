"""Consent: whether a user's data may be kept for a purpose, and how that was decided."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sourcewright.base.errors import InvalidInput
from sourcewright.domain.ports import AuditRecorder, GroupGuard
from sourcewright.domain.users.sessions import Owner, is_owner_name
from sourcewright.domain.users.teams import PURPOSES, Decision, Purpose, Refusal
from sourcewright.stores.teams.consents import ConsentRecords, latest

PRESUMED_FROM = "STDIO_USER_ID"
"""Where the consent of the user on stdio comes from: they named themselves in this setting."""
_PRESUMED: tuple[Purpose, ...] = ("memory", "analytics")
"""What stays with the user alone; sharing with others needs a decision of its own."""
_MAX_TEXT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Consents:
    """Records and checks decisions. Anonymous users cannot consent."""

    records: ConsentRecords
    auditor: AuditRecorder
    anonymous: str
    named_themselves: Callable[[Owner], bool]
    """Whether this is the user of a server on stdio, who set their own name."""
    now: Callable[[], str]
    damage: Callable[[], str | None] = lambda: None
    """What to say of records that were lost with a damaged file, if there are any."""

    async def refusal(self, owner: Owner, purpose: Purpose) -> Refusal | None:
        """Return why nothing may be kept of this user for this purpose; None if it may be."""
        if owner.user == self.anonymous:
            return Refusal(
                status="unavailable",
                reason="this needs a user: sign in, or set STDIO_USER_ID for a server on stdio",
            )
        if await self._is_granted(owner, purpose):
            return None
        return self._no_consent(purpose)

    def guard(self, owner: Owner, purpose: Purpose) -> dict[str, GroupGuard]:
        """Return the guard of an update: nothing is written after consent was withdrawn.

        The update then raises NotPermitted. It is called after `refusal` has returned None, which
        records a consent that is presumed.
        """
        return self.records.guard(owner, purpose, self._no_consent(purpose))

    async def history(self, owner: Owner) -> Sequence[Decision]:
        """Return every decision of a user, oldest first."""
        return await self.records.history(owner)

    async def current(self, owner: Owner) -> Mapping[Purpose, Decision | None]:
        """Return the decision that counts for each purpose; None where there was none."""
        history = await self.records.history(owner)
        return {purpose: latest(history, purpose) for purpose in PURPOSES}

    async def decide(
        self,
        owner: Owner,
        purpose: Purpose,
        *,
        granted: bool,
        decided_from: str,
        terms_version: str | None = None,
    ) -> bool:
        """Record a decision of a user; False if it repeats the current one.

        Raises:
            InvalidInput: The user or the tenant cannot have consent, or the purpose is unknown.
        """
        self.check_user(owner)
        if purpose not in PURPOSES:
            raise InvalidInput(f"purpose: must be one of {', '.join(PURPOSES)}")
        decision = Decision(
            purpose=purpose,
            granted=granted,
            decided_at=self.now(),
            decided_from=decided_from[:_MAX_TEXT],
            terms_version=terms_version[:_MAX_TEXT] if terms_version else None,
        )
        recorded = await self.records.record(owner, decision)
        if recorded:
            await self._audit(owner, decision)
        return recorded

    def check_user(self, owner: Owner) -> None:
        """Raises InvalidInput for the name of nobody in particular."""
        check_names(owner)
        if owner.user == self.anonymous:
            raise InvalidInput(f"user: {self.anonymous} is nobody in particular")

    def _no_consent(self, purpose: Purpose) -> Refusal:
        reason = (
            f"nothing is kept or read without consent to the purpose {purpose}; it is recorded"
            f" by `sourcewright consent grant {purpose}` or by the operator of the server"
        )
        damage = self.damage()
        return Refusal(status="no_consent", reason=f"{reason}. {damage}" if damage else reason)

    async def _is_granted(self, owner: Owner, purpose: Purpose) -> bool:
        decision = latest(await self.records.history(owner), purpose)
        if decision is not None or purpose not in _PRESUMED or not self.named_themselves(owner):
            return decision is not None and decision.granted
        presumed = Decision(
            purpose=purpose, granted=True, decided_at=self.now(), decided_from=PRESUMED_FROM
        )
        if await self.records.record(owner, presumed, first_only=True):
            await self._audit(owner, presumed)
            return True
        return await self._is_granted(owner, purpose)

    async def _audit(self, owner: Owner, decision: Decision) -> None:
        await self.auditor.audit(
            {
                "event_type": f"consent.{'grant' if decision.granted else 'withdraw'}",
                "tenant_id": owner.tenant,
                "user_id": owner.user,
                "success": True,
                "metadata": {
                    "purpose": decision.purpose,
                    "decided_from": decision.decided_from,
                    "terms_version": decision.terms_version,
                },
            }
        )


def check_names(owner: Owner) -> None:
    """Raises InvalidInput for a name of a user or tenant that nobody can have."""
    for what, name in (("tenant", owner.tenant), ("user", owner.user)):
        if not is_owner_name(name):
            raise InvalidInput(f"{what}: must be 1 to 256 printable characters")
