"""Value types of settings, each with a label and a parser that validates.

A value is text in the environment and on the command line, and has its TOML type in the
config file; both go through the same parser.
"""

import json
import os
import re
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from sourcewright.base.text.suggestions import did_you_mean

_TRUE = frozenset({"true", "1", "yes", "on"})
_FALSE = frozenset({"false", "0", "no", "off"})
_SHOWN_CHARACTERS = 60
"""Longest echo of an invalid value in an error message."""
_TIME = re.compile(r"(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,9})s?)?")
_HEADER_NAME = r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}"
_CONNECTION_HEADERS = frozenset(
    {
        "host",
        "connection",
        "content-length",
        "transfer-encoding",
        "te",
        "trailer",
        "upgrade",
        "keep-alive",
        "proxy-connection",
    }
)

Reader = Callable[[object], object]


class InvalidValue(ValueError):
    """An invalid value; the message says what is accepted."""


class UnusableAddress(InvalidValue):
    """An e-mail address that is never sent; what sends none works all the same."""


class Secret(str):
    """A string whose repr is masked, so that printing its container does not reveal it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'********'"


class Kind(NamedTuple):
    """One type of value: its label in the documentation, and its parser."""

    label: str
    read: Reader


def echo(value: object) -> str:
    """The repr of an invalid value, truncated for an error message."""
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"


def read_text(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidValue(f"must be text, got {echo(value)}")
    # Settings end up in headers, file names and log lines, where neither is allowed.
    if re.search("[\x00-\x1f\x7f-\x9f]", value):
        raise InvalidValue("must not contain control characters")
    if re.search("[\ud800-\udfff]", value):
        raise InvalidValue(f"must be valid UTF-8, got {echo(value)}")
    return value.strip()


def read_secret(value: object) -> Secret:
    # No message may contain the value.
    if not isinstance(value, str):
        raise InvalidValue("must be text")
    text = read_text(value)
    if not text.isascii():
        raise InvalidValue("must be plain ASCII")
    return Secret(text)


def read_sealing_key(value: object) -> Secret:
    key = read_secret(value)
    if not re.fullmatch("[0-9A-Fa-f]{64}", key):
        raise InvalidValue("must be 64 hexadecimal digits, as printed by `openssl rand -hex 32`")
    return key


def read_login(value: object) -> Secret:
    """Parse `user:password`; the password may contain colons."""
    login = read_secret(value)
    user, colon, _ = login.partition(":")
    if login and not (user and colon):
        raise InvalidValue("must be user:password, separated by a colon")
    return login


def read_headers(value: object) -> Secret:
    """Parse `Name: value, Name: value`; connection headers such as Host are refused."""
    headers = read_secret(value)
    for line in filter(None, map(str.strip, headers.split(","))):
        name, colon, content = line.partition(":")
        if not colon or not content.strip() or not re.fullmatch(_HEADER_NAME, name):
            raise InvalidValue("must be a list such as `X-Key: abc, X-Team: blue`")
        if name.lower() in _CONNECTION_HEADERS:
            raise InvalidValue(f"must not set {name}, which is controlled by the connection")
    return headers


def read_flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    word = value.strip().lower() if isinstance(value, str) else ""
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise InvalidValue(f"must be true or false (or 1/0, yes/no, on/off), got {echo(value)}")


def read_agreement(value: object) -> bool:
    """Only exactly `1` means yes, so that nobody agrees to terms by accident."""
    if value == "1":
        return True
    if isinstance(value, str) and value.strip().lower() in _FALSE:
        return False
    raise InvalidValue(f"must be exactly 1 to declare that you agree, got {echo(value)}")


def read_presence(value: object) -> bool:
    """Any non-empty text counts as true, as NO_COLOR is defined."""
    return value if isinstance(value, bool) else bool(read_text(value))


def read_not_zero(value: object) -> bool:
    """True unless the value is 0, false, no or off.

    For variables shared with other programs, whose other values must not be errors.
    """
    return str(value).strip().lower() not in _FALSE


def read_refused_flag(value: object) -> bool:
    if read_flag(value):
        raise InvalidValue(
            "is not supported, because it would allow every private address; list the origins that you trust in SOURCEWRIGHT_ALLOWED_ORIGINS instead"
        )
    return False


def read_email(value: object) -> str:
    from sourcewright.settings.email_addresses import INVALID_FORMAT, flaw_of

    try:
        text = read_text(value)
    except InvalidValue as error:
        kind = UnusableAddress if isinstance(value, str) else InvalidValue
        raise kind(f"{INVALID_FORMAT} It {error}.") from error
    if flaw := flaw_of(text, echo=echo(text)):
        raise UnusableAddress(flaw)
    return text


def read_path(value: object) -> Path:
    path = Path(read_text(value))
    if path.parts[0].startswith("~") and path.parts[0] != "~":
        raise InvalidValue(
            f"may begin with ~/ but not with the home folder of another user, got {echo(value)}"
        )
    return path


def read_folder(value: object) -> Path:
    path = read_path(value)
    if not path.is_absolute():
        raise InvalidValue(f"must be an absolute path, got {echo(str(path))}")
    return path


def read_folders(value: object) -> tuple[Path, ...]:
    """Parse a list of folders; text may also use the separator of PATH."""
    parts: object = value
    if isinstance(value, str):
        # Split only before a new absolute path: a folder name may contain the separator.
        parts = re.split(rf",|{re.escape(os.pathsep)}(?=\s*[/~])", value)
    folders = tuple(dict.fromkeys(read_path(item) for item in list_items(parts)))
    for folder in folders:
        if not folder.is_absolute() and folder.parts[0] != "~":
            raise InvalidValue(f"must list absolute folder paths, got {echo(str(folder))}")
        if folder == Path(folder.anchor):
            raise InvalidValue(f"must not list the root of a file system, got {echo(str(folder))}")
    return folders


def read_url(value: object) -> str:
    from sourcewright.settings.origins import web_address

    return web_address(read_text(value))


def read_origins(value: object) -> tuple[str, ...]:
    from sourcewright.settings.origins import origin

    return tuple(dict.fromkeys(origin(item) for item in list_items(value)))


def read_some_origins(value: object) -> tuple[str, ...]:
    origins = read_origins(value)
    if not origins:
        raise InvalidValue(f"must name at least one origin, got {echo(value)}")
    return origins


def read_host_patterns(value: object) -> tuple[str, ...]:
    from sourcewright.settings.hosts import pattern_error

    patterns = dict.fromkeys(item.lower() for item in list_items(value))
    flaws = [f"{echo(pattern)} {flaw}" for pattern in patterns if (flaw := pattern_error(pattern))]
    if flaws:
        accepted = "repo.example.org or *.example.org"
        raise InvalidValue(f"must list hosts such as {accepted}: {'; '.join(flaws)}")
    return tuple(patterns)


def read_domains(value: object) -> tuple[str, ...]:
    """Parse domains; each one includes its subdomains."""
    bare = [item.lower().removeprefix("*.") for item in list_items(value)]
    both = [pattern for domain in bare for pattern in (domain, f"*.{domain}")]
    return read_host_patterns(both) if both else ()


def read_loopback_origin(value: object) -> str:
    from sourcewright.settings.origins import loopback_origin

    return loopback_origin(read_text(value))


def read_name(value: object) -> str:
    return read_text(value).lower()


def read_routing(value: object) -> dict[str, tuple[str, ...]]:
    """Parse one list of engines for every search, or a list for each kind of search."""
    if isinstance(value, str) and value.strip().startswith("{"):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise InvalidValue(f"must be a list or JSON ({error})") from error
    lists = value if isinstance(value, dict) else {"default": value}
    unknown = [str(name) for name in lists if name not in ROUTED]
    if unknown:
        raise InvalidValue(f"may have the lists {', '.join(ROUTED)}, got {echo(unknown[0])}")
    orders = {str(name): tuple(dict.fromkeys(_names(names))) for name, names in lists.items()}
    if not all(orders.values()) or not orders:
        raise InvalidValue("must name at least one engine in every list")
    return orders


def _names(value: object) -> list[str]:
    return [item.lower() for item in list_items(value)]


def number(*, at_least: int, at_most: int = 2**53, clamp_from: int | None = None) -> Kind:
    """A whole number in a range.

    With `clamp_from`, positive numbers are clamped to `clamp_from`..`at_most`; 0 means no limit.
    """

    def read(value: object) -> int:
        amount = _whole(value)
        if clamp_from is not None and amount > 0:
            return min(max(amount, clamp_from), at_most)
        if not at_least <= amount <= at_most:
            edge = f"at least {at_least}" if amount < at_least else f"at most {at_most}"
            raise InvalidValue(f"must be {edge}, got {amount}")
        return amount

    return Kind("whole number", read)


def switch_or_number(*, on: int) -> Kind:
    """A whole number from 1 to `on`, or on and off, which mean `on` and 1."""
    choices = dict.fromkeys(_TRUE, on) | dict.fromkeys(_FALSE - {"0"}, 1)
    choices |= {str(amount): amount for amount in range(1, on + 1)}

    def read(value: object) -> int:
        if amount := choices.get(str(value).strip().lower()):
            return amount
        raise InvalidValue(f"must be a whole number from 1 to {on}, on or off, got {echo(value)}")

    return Kind("whole number, on or off", read)


def read_duration(value: object) -> int:
    """Parse a duration into seconds: a number, or text with units such as `90s` or `1h30m`."""
    text = str(value).strip().lower() if isinstance(value, int | str) else ""
    match = _TIME.fullmatch(text)
    if not match or isinstance(value, bool) or not any(match.groups()):
        raise InvalidValue(f"must be a duration such as 90s, 5m or 1h30m, got {echo(value)}")
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds


def one_of(*choices: str) -> Kind:
    def read(value: object) -> str:
        word = read_text(value).lower()
        if word not in choices:
            near = did_you_mean(word, choices)
            raise InvalidValue(f"must be one of {', '.join(choices)}, got {echo(word)}{near}")
        return word

    return Kind(f"one of {', '.join(choices)}", read)


def some_of(*choices: str) -> Kind:
    def read(value: object) -> tuple[str, ...]:
        words = [item.lower() for item in list_items(value)]
        unknown = [word for word in words if word not in choices]
        if unknown or not words:
            got = f"{echo(unknown[0])}{did_you_mean(unknown[0], choices)}" if unknown else "none"
            raise InvalidValue(f"must name one or more of {', '.join(choices)}, got {got}")
        return tuple(choice for choice in choices if choice in words)

    return Kind("list", read)


def _whole(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    text = value.strip() if isinstance(value, str) else ""
    # Eighteen digits are more than any limit needs; int() is slow on very long texts.
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise InvalidValue(f"must be a whole number, got {echo(value)}")
    return int(text)


def list_items(value: object) -> list[str]:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise InvalidValue(f"must be a list of strings, got {echo(value)}")
    return [text for text in (read_text(part) for part in parts) if text]


ROUTED = ("web", "images", "news", "academic", "patents", "default")
"""The kinds of search that may have their own list of engines."""

NAME = Kind("name", read_name)
ROUTING = Kind("list, or JSON object of lists", read_routing)
TEXT = Kind("text", read_text)
SECRET = Kind("secret", read_secret)
SEALING_KEY = Kind("secret, 64 hexadecimal digits", read_sealing_key)
LOGIN = Kind("secret, user:password", read_login)
HEADERS = Kind("secret, list of headers", read_headers)
FLAG = Kind("true or false", read_flag)
PRESENCE = Kind("set or not set", read_presence)
NOT_ZERO = Kind("0 or anything else", read_not_zero)
REFUSED_FLAG = Kind("true or false", read_refused_flag)
EMAIL = Kind("e-mail address", read_email)
PATH = Kind("path", read_path)
FOLDER = Kind("absolute path", read_folder)
FOLDERS = Kind("list of absolute paths", read_folders)
URL = Kind("URL", read_url)
ORIGINS = Kind("list of origins", read_origins)
SOME_ORIGINS = Kind("list of origins", read_some_origins)
HOST_PATTERNS = Kind("list of host patterns", read_host_patterns)
AGREEMENT = Kind("1 to agree", read_agreement)
DOMAINS = Kind("list of domains", read_domains)
DURATION = Kind("duration, such as 90s or 5m", read_duration)
LOOPBACK_ORIGIN = Kind("loopback origin", read_loopback_origin)

OPTION_KINDS = {
    "text": TEXT,
    "flag": FLAG,
    "email": EMAIL,
    "secret": SECRET,
    "login": LOGIN,
    "headers": HEADERS,
    "url": URL,
    "origins": SOME_ORIGINS,
    "agreement": AGREEMENT,
}
"""The value types that a provider's option may declare, by name."""


def secret_parts(kind: Kind, secret: str) -> list[str]:
    """A secret and its secret parts, also as sent in headers (Basic auth in Base64)."""
    if kind is LOGIN:
        return [secret, secret.partition(":")[2], b64encode(secret.encode()).decode()]
    if kind is HEADERS:
        return [secret, *(line.partition(":")[2].strip() for line in secret.split(","))]
    return [secret]
