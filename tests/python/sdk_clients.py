"""The official SDK's clients list the tools and call each, over standard input and output.

    python sdk_clients.py PROGRAM MEMORY

The dual-era client runs three times: it finds the protocol's revision out by itself, it is told the newest one, it is
told to shake hands as older clients do. The session client shakes hands by itself. All use the same memory, one after the
other. Every answer is checked against the output schema that the tool lists. The last line says what was done.
"""

import asyncio
import json
import os
import sys

import jsonschema
from mcp.client.client import Client
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

TOOLS = ["remember", "recall", "forget", "graph", "maintain"]
HINTS = ["read_only_hint", "destructive_hint", "idempotent_hint", "open_world_hint"]
ANSWER_SECONDS_MAX = 90


class Caller:
    """Calls tools through either client, and checks every answer."""

    def __init__(self, client, tools):
        self.client = client
        self.schemas = {tool.name: tool.output_schema for tool in tools}
        self.called = set()

    async def __call__(self, tool, **arguments):
        result = await self.client.call_tool(tool, arguments)
        text = "\n".join(part.text for part in result.content)
        assert not result.is_error, f"{tool} refuses: {text}"
        answer = result.structured_content
        jsonschema.validate(answer, self.schemas[tool])
        assert json.loads(text) == answer, f"{tool} says two things: {text} and {answer}"
        self.called.add(tool)
        return answer


def check_listing(tools):
    """Every tool is there, with its title, its four hints and two object schemas."""
    assert [tool.name for tool in tools] == TOOLS, tools
    for tool in tools:
        assert tool.title and tool.description, tool
        for hint in HINTS:
            assert getattr(tool.annotations, hint) is not None, (tool.name, hint)
        for schema in (tool.input_schema, tool.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object", schema


async def use_every_tool(client, way):
    """One small conversation; `way` keeps its texts apart from the other clients'."""
    tools = (await client.list_tools()).tools
    check_listing(tools)
    call = Caller(client, tools)
    text = f"Ada books the {way} train to Bergen"
    relation = {"from": f"Ada {way}", "relation": "travels_to", "to": "Bergen"}
    kept = await call("remember", text=text, kind="event", tags=["travel"], relations=[relation])
    item = kept["items"][0]
    assert item["decision"] == "stored", kept

    found = await call("recall", query=f"{way} train", include=["scores"])
    assert found["hits"][0]["id"] == item["id"], found
    assert found["hits"][0]["text"] == text, found

    walked = await call("graph", about=f"Ada {way}")
    assert [edge["memories"] for edge in walked["edges"]] == [[item["id"]]], walked

    status = await call("maintain", action="status")
    assert status["memories"] >= 1, status

    gone = await call("forget", ids=[item["id"], "987654321"])
    assert gone["retired"] == [item["id"]] and gone["not_found"] == ["987654321"], gone
    found = await call("recall", query=f"{way} train")
    assert item["id"] not in [hit["id"] for hit in found["hits"]], found
    found = await call("recall", query=f"{way} train", known_at=kept["at"])
    assert found["hits"][0]["id"] == item["id"], found

    many = await asyncio.gather(*(call("remember", text=f"Seat {n} of the {way} train") for n in range(20)))
    assert len({answer["items"][0]["id"] for answer in many}) == 20, many

    refused = await client.call_tool("recall", {"query": "  "})
    assert refused.is_error and refused.content[0].text, refused
    assert call.called == set(TOOLS), call.called


async def with_dual_era_client(server, mode, revision):
    async with Client(server, mode=mode, read_timeout_seconds=ANSWER_SECONDS_MAX) as client:
        assert client.protocol_version == revision, client.protocol_version
        # A client that is told the revision asks the server nothing before its first call.
        if mode != revision:
            assert client.server_info.name == "palimpsest", client.server_info
            assert client.instructions, "the server gives no instructions"
        await use_every_tool(client, mode)


async def with_session_client(server):
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write, read_timeout_seconds=ANSWER_SECONDS_MAX) as session:
            hello = await session.initialize()
            assert hello.server_info.name == "palimpsest", hello
            assert hello.protocol_version == "2025-11-25", hello
            await use_every_tool(session, "session")


async def main(program, memory):
    # A client hands its server only a few variables; the test's own home must be among them.
    home = {name: value for name, value in os.environ.items() if name.startswith("XDG_") or name == "TZ"}
    server = StdioServerParameters(command=program, args=["serve", "--memory", memory], env=home)
    await with_dual_era_client(server, "auto", "2026-07-28")
    await with_dual_era_client(server, "2026-07-28", "2026-07-28")
    await with_dual_era_client(server, "legacy", "2025-11-25")
    await with_session_client(server)
    print(f"4 clients called {len(TOOLS)} tools each")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
