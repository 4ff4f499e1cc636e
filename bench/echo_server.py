"""The SDK's low-level server with one tool: what a call costs at least.

On the SDK's own stdio, or over HTTP as the SDK's own web application, with the parser that is
installed with the SDK (h11) or with another one. It says its arguments again, or whatever the
file says that it is started with.
"""

import argparse
import json
from pathlib import Path
from typing import Any, Literal

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

Context = ServerRequestContext[Any, Any]
Parser = Literal["h11", "httptools"]
ECHO = Tool(name="echo", description="Says it again.", input_schema={"type": "object"})


def echo_server(answer: dict[str, Any] | None) -> Server[Any]:
    """Build the server; it says its arguments again if it is given no answer."""

    async def list_tools(_: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[ECHO])

    async def call_tool(_: Context, params: CallToolRequestParams) -> CallToolResult:
        structured = params.arguments or {} if answer is None else answer
        text = json.dumps(structured, ensure_ascii=False)
        return CallToolResult(
            content=[TextContent(type="text", text=text)], structured_content=structured
        )

    return Server("echo", on_list_tools=list_tools, on_call_tool=call_tool)


async def serve_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (source, sink):
        await server.run(source, sink, server.create_initialization_options())


def serve_http(server: Server[Any], port: int, parser: Parser) -> None:
    import uvicorn

    app = server.streamable_http_app(stateless_http=True)
    config = uvicorn.Config(
        app, host="127.0.0.1", port=port, http=parser, loop="asyncio", access_log=False
    )
    uvicorn.Server(config).run()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("answer", type=Path, nargs="?")
    parser.add_argument("--http", type=int, metavar="PORT")
    parser.add_argument("--parser", choices=["h11", "httptools"], default="h11")
    options = parser.parse_args()
    answer = options.answer and json.loads(options.answer.read_text(encoding="utf-8"))
    server = echo_server(answer)
    if options.http is None:
        anyio.run(serve_stdio, server)
    else:
        serve_http(server, options.http, options.parser)


if __name__ == "__main__":
    main()
