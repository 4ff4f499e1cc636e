"""Our HTTP server with the conformance suite's fixtures instead of our own tools.

Pipeline, endpoint, web application and connections are those of `sourcewright serve --http`.
It keeps its files in the folder where it is started.
"""

import argparse
import asyncio
import sys
from pathlib import Path

import fixture_questions
import fixture_tools
from exchanges import add_protocol_features
from fixture_views import FixturePrompts, FixtureResources

from sourcewright.server.http.endpoint import McpEndpoint
from sourcewright.settings import Settings
from sourcewright.settings.process import sandbox_overrides
from sourcewright.tools._base import ToolSpec
from sourcewright.web.start import http_server, listen
from sourcewright.wiring import Application, Machine


class FixtureApplication(Application):
    """Our application with other tools, prompts and resources."""

    def __init__(self, settings: Settings) -> None:
        modules = (fixture_tools, fixture_questions)
        found = (value for module in modules for value in vars(module).values())
        tools = {spec.name: spec for spec in found if isinstance(spec, ToolSpec)}
        super().__init__(settings, Machine(), tools)

    def prompts(self) -> FixturePrompts:
        return FixturePrompts()

    def views(self) -> FixtureResources:
        return FixtureResources()


def fixture_endpoint(application: Application, *, stateless: bool) -> McpEndpoint:
    endpoint = McpEndpoint(application, stateless=stateless)
    add_protocol_features(endpoint.server)
    return endpoint


async def serve(port: int, *, stateless: bool) -> None:
    folder = Path.cwd()
    environment = {
        "HOME": str(folder),
        **sandbox_overrides("http://127.0.0.1:9", str(folder)),
        "RATE_LIMIT_PER_IP": "0",
        "RATE_LIMIT_PER_TENANT": "0",
    }
    settings = Settings.load(environment, cwd=folder)
    with listen("127.0.0.1", port) as listener:
        async with FixtureApplication(settings) as application:
            endpoint = fixture_endpoint(application, stateless=stateless)
            server = http_server(settings, application, endpoint)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(server.serve(sockets=[listener]))
                await server.listening.wait()
                print("serving the fixtures", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument(
        "--sessions", action="store_true", help="keep sessions, so that clients can be asked"
    )
    options = parser.parse_args()
    asyncio.run(serve(options.port, stateless=not options.sessions))


if __name__ == "__main__":
    main()
