"""The peer of each_call: the SDK's low-level server with one tool, on the SDK's own stdio."""

from typing import Any

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
ECHO = Tool(name="echo", description="Says it again.", input_schema={"type": "object"})


async def list_tools(_: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(tools=[ECHO])


async def call_tool(_: Context, params: CallToolRequestParams) -> CallToolResult:
    given = params.arguments or {}
    return CallToolResult(
        content=[TextContent(type="text", text=str(given))], structured_content=given
    )


async def main() -> None:
    server: Server[Any] = Server("echo", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (source, sink):
        await server.run(source, sink, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
