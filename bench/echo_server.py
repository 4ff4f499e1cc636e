"""The SDK's low-level server with one tool, on the SDK's own stdio: what a call costs at least.

It says its arguments again, or whatever the file says that it is started with.
"""

import json
import sys
from pathlib import Path
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
ANSWER = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")) if sys.argv[1:] else None


async def list_tools(_: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(tools=[ECHO])


async def call_tool(_: Context, params: CallToolRequestParams) -> CallToolResult:
    said = params.arguments or {} if ANSWER is None else ANSWER
    text = json.dumps(said, ensure_ascii=False)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=said)


async def main() -> None:
    server: Server[Any] = Server("echo", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (source, sink):
        await server.run(source, sink, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
