"""`sourcewright serve`: reads arguments and settings, then runs the MCP server."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

from sourcewright import manifest
from sourcewright.server.backend import Backend, Offer
from sourcewright.server.stdio.front import ServerLimits, serve_stdio
from sourcewright.server.stdio.lanes import MAX_CONCURRENT
from sourcewright.server.stdio.self_pipe import leave_on_signals
from sourcewright.settings import TOOLSETS, Settings, SettingsError
from sourcewright.settings.declared import EMAIL_NEEDED, EMAIL_SETUP
from sourcewright.settings.email_addresses import INVALID_FORMAT
from sourcewright.settings.layers import is_set
from sourcewright.settings.process import sandbox_overrides

_GREETING = (
    "Sourcewright is running as an MCP server. It reads JSON-RPC messages from this terminal, which a client normally sends.",
    "To connect a client, press Ctrl-D and run `sourcewright setup CLIENT`; `sourcewright setup --help` lists the clients.",
    "To try it without a client: `sourcewright demo`.",
)

ServeHttp = Callable[[Settings], int]


class _Options(NamedTuple):
    """The options of the command line."""

    sandbox: bool = False
    toolsets: tuple[str, ...] = ()
    http: str | None = None
    anonymous: bool = False
    typed_schemas: bool = False

    def overrides(self) -> dict[str, object]:
        """Return the settings that the options stand for."""
        host, _, port = (self.http or "").rpartition(":")
        return {
            **({"TOOLSETS": ",".join(self.toolsets)} if self.toolsets else {}),
            **({"PORT": port} if self.http is not None else {}),
            **({"SOURCEWRIGHT_HTTP_HOST": host} if host else {}),
            **({"SOURCEWRIGHT_HTTP_ANONYMOUS": "true"} if self.anonymous else {}),
            **({"SOURCEWRIGHT_TYPED_SCHEMAS": "true"} if self.typed_schemas else {}),
        }


def serve_from(arguments: Sequence[str], serve_http: ServeHttp) -> int | None:
    """Serve and return the exit code; None for arguments that the full parser must handle."""
    options = _parse(arguments)
    if options is None:
        return None
    if not all(is_set(toolset) for toolset in options.toolsets):
        return _refuse(f"--toolset is empty; use one of {_toolsets_with_tools()}")
    leave_on_signals()
    overrides = options.overrides()
    with ExitStack() as stack:
        folder = None
        if options.sandbox:
            folder, sandbox_settings = _sandbox(stack)
            overrides |= sandbox_settings
        try:
            settings = Settings.from_environment(overrides=overrides, cwd=folder)
        except SettingsError as error:
            return _refuse(*map(str, error.problems))
        if problem := _address_problem(settings) or _tool_problem(settings):
            return _refuse(problem)
        if settings.port or options.http is not None:
            return serve_http(settings)
        # Allow as many concurrent requests as pages may be read concurrently.
        limits = ServerLimits(at_once=max(MAX_CONCURRENT, settings.scrape_concurrency))
        offer = Offer(
            tools=manifest.offered(
                settings.toolsets, settings.unusable, typed=settings.typed_schemas
            ),
            prompts=manifest.prompts(settings.toolsets, settings.unusable),
            output_schemas=settings.output_schemas,
        )
        if sys.stdin is not None and sys.stdin.isatty():
            _greet()
        return serve_stdio(offer, lambda: _backend(settings), limits)


def _greet() -> None:
    """Tell a person at a terminal what was started; a client never sees this."""
    import shutil
    import textwrap

    width = max(shutil.get_terminal_size().columns, 40)
    for text in _GREETING:
        lines = textwrap.wrap(text, width, subsequent_indent="  ", break_on_hyphens=False)
        sys.stderr.writelines(f"{line}\n" for line in lines)


def _address_problem(settings: Settings) -> str | None:
    """Return what the contract of the download tools has the start refuse: a malformed address.

    A placeholder is reported, and sent to nobody.
    """
    for problem in settings.address_problems:
        if INVALID_FORMAT in problem.message:
            return str(problem)
        sys.stderr.write(f"warning: {problem}; it is sent to no source\n")
    return None


def _tool_problem(settings: Settings) -> str | None:
    """Return why no tool of this server could work."""
    if not manifest.names(settings.toolsets, settings.unusable):
        toolset_names = ", ".join(settings.toolsets)
        return f"no tool is in {toolset_names}; toolsets with tools: {_toolsets_with_tools()}"
    if settings.toolsets == ("downloads",) and settings.download_problem:
        notes = (EMAIL_SETUP, EMAIL_NEEDED)
        return "\n".join((settings.download_problem, *(f"  = help: {one}" for one in notes)))
    return None


def _refuse(*problems: str) -> int:
    """Print why the server does not start, as commands print errors; return the exit code."""
    sys.stderr.writelines(f"error[CONFIG]: {problem}\n" for problem in problems)
    return 2


def _toolsets_with_tools() -> str:
    return ", ".join(toolset for toolset in TOOLSETS if manifest.names([toolset]))


_FLAGS: Final[Mapping[str, str]] = {
    "--sandbox": "sandbox",
    "--allow-anonymous": "anonymous",
    "--typed-schemas": "typed_schemas",
}


def _parse(arguments: Sequence[str]) -> _Options | None:
    """Parse the options; None if there is any other argument, or one without its value."""
    given: dict[str, Any] = {}
    toolsets = list[str]()
    words = iter(arguments)
    for word in words:
        name, has_value, value = word.partition("=")
        if word in _FLAGS:
            given[_FLAGS[word]] = True
            continue
        text = value if has_value else _next_value(words)
        if name not in {"--toolset", "--http"} or text is None:
            return None
        if name == "--http":
            given["http"] = text
        else:
            toolsets.append(text)
    return _Options(**given, toolsets=tuple(toolsets))


def _next_value(words: Iterator[str]) -> str | None:
    return next(words, None)


def _sandbox(stack: ExitStack) -> tuple[Path, dict[str, object]]:
    """Start the simulated internet; return a temporary folder and the settings for it."""
    from tempfile import TemporaryDirectory

    from sourcewright.world.internet import World

    folder = stack.enter_context(TemporaryDirectory(prefix="sourcewright-sandbox-"))
    world = stack.enter_context(World())
    sys.stderr.write(
        f"sourcewright: sandbox mode: every response is simulated; the simulated internet is at {world.url}\n"
    )
    return Path(folder), dict(sandbox_overrides(world.url, folder))


def _backend(settings: Settings) -> Backend:
    from sourcewright.wiring import build

    application = build(settings)
    if settings.otel_endpoint or settings.otel_traces_endpoint:
        from sourcewright.wiring.traces import send_traces

        send_traces(application)
    return application
