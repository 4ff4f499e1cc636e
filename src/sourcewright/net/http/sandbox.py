"""Sandbox mode: one loopback origin stands in for the whole internet."""

from sourcewright.base.errors import InvalidInput, NotConfigured
from sourcewright.net.http.addresses import is_loopback
from sourcewright.net.http.target import Target, read_target

_SETTING = "SOURCEWRIGHT_SANDBOX_URL"


def read_sandbox(url: str) -> Target:
    """Parse and validate the sandbox origin.

    Raises:
        NotConfigured: It is not a plain HTTP origin on this machine.
    """
    try:
        origin = read_target(url)
    except InvalidInput as error:
        raise NotConfigured(f"{_SETTING}: {error}", setting=_SETTING) from error
    address = origin.address
    is_local = is_loopback(address) if address is not None else origin.host == "localhost"
    if origin.scheme != "http" or not is_local or origin.path != b"/" or origin.has_userinfo:
        message = f"{_SETTING} must be a loopback origin, such as http://127.0.0.1:8080"
        raise NotConfigured(message, setting=_SETTING)
    return origin


async def resolve_locally(host: str) -> list[str]:
    """Resolve localhost without DNS; no other name is ever resolved in a sandbox."""
    if host != "localhost":
        raise OSError(f"{host} cannot be resolved in a sandbox")
    return ["127.0.0.1", "::1"]
