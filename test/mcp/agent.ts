import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { root } from "../../scripts/common/paths.ts";

/** An agent with the MCP server as a process, as an editor starts it. */
export interface Agent {
  client: Client;
  /** The text of a result; throws that of an error. */
  call(tool: string, input?: Record<string, unknown>): Promise<string>;
  /** What came on standard output and is no message of the protocol. */
  strays: Error[];
  close(): Promise<void>;
}

/** @param command the file of the command; default: that of the clone */
export async function startAgent(
  words: string[] = [],
  env: Record<string, string> = {},
  command = join(root, "scripts/cli.ts"),
): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, "mcp", ...words],
    env: { ...getDefaultEnvironment(), FORCE_COLOR: "1", ...env },
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  const strays: Error[] = [];
  client.onerror = (error) => strays.push(error);
  await client.connect(transport);
  return {
    client,
    strays,
    async call(name, input = {}) {
      const { content, isError } = await client.callTool({ name, arguments: input });
      const [{ text }] = content as [{ text: string }];
      if (isError) throw new Error(text);
      return text;
    },
    close: () => client.close(),
  };
}
