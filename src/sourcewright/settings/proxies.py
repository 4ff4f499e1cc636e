"""The kind of setting that names a proxy; a password may be part of it, so it is a secret."""

from base64 import b64encode

from sourcewright.settings.kinds import Kind, Secret, read_secret


def read_proxy(value: object) -> Secret:
    """Parse the URL of an HTTP or HTTPS proxy, which may contain a login."""
    from sourcewright.settings.origins import proxy_url

    return Secret(proxy_url(read_secret(value)))


PROXY = Kind("secret, URL of a proxy", read_proxy)


def proxy_login(kind: Kind, secret: str) -> list[str]:
    """The password in the URL of a proxy, and the login as it is sent (Basic auth in Base64)."""
    login, at, _ = secret.partition("://")[2].rpartition("@")
    if kind is not PROXY or not at:
        return []
    return [login, login.partition(":")[2], b64encode(login.encode()).decode()]
