"""The minimum rate of a body: one that only drips is given up, and said to be slow."""

from collections.abc import AsyncIterator

import anyio

from sourcewright.domain.calls import current_call
from sourcewright.domain.errors import Unavailable
from sourcewright.logic.text.phrases import counted
from sourcewright.net.exchange import Policy

_REPORTED_SECONDS = 5.0
"""How often somebody who waits for a body is told how far it has come."""


async def steady(chunks: AsyncIterator[bytes], policy: Policy) -> AsyncIterator[bytes]:
    """The same chunks, as long as they come fast enough on the whole.

    Only the time that is spent on waiting for them counts, so that a reader who is busy blames
    nobody.

    Raises:
        Unavailable: After a time of grace, fewer bytes have come than the policy asks for.
    """
    came, waited, told = 0, 0.0, _REPORTED_SECONDS
    while True:
        began = anyio.current_time()
        patience = max(policy.grace_seconds, came / policy.least_rate) - waited
        chunk = None
        with anyio.move_on_after(patience) as limit:
            chunk = await anext(chunks, None)
        waited += anyio.current_time() - began
        if limit.cancelled_caught:
            detail = f"too slow, {counted(came, 'byte')} in {waited:.0f} s"
            raise Unavailable(policy.source, detail, cause="slow")
        if chunk is None:
            return
        came += len(chunk)
        if waited >= told:
            told = waited + _REPORTED_SECONDS
            await current_call.get().progress(
                f"{counted(came, 'byte')} from {policy.source} after {waited:.0f} s"
            )
        yield chunk
