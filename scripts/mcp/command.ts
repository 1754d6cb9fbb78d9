import type { Command } from "commander";
import { action } from "../common/program.ts";

const help = `
A coding agent starts it, and exchanges messages with it on standard input and
output (Model Context Protocol). It sends only to this machine: to 127.0.0.1,
::1 and localhost.

API keys come from the environment variables whose names start with CONTRACT_,
as those of the command contract. No result shows their values.`;

/** Adds the command `mcp`. */
export function addMcpCommand(program: Command): void {
  program
    .command("mcp")
    .description("let a coding agent use the reference, a sandbox and the suites (MCP, stdio)")
    .option("--allow-host <name...>", "host names and IP addresses that it may send to, too")
    .option("--allow-driver <command...>", "commands of drivers that it may run to test a client")
    .addHelpText("after", help)
    .action(action(async () => (await import("./server.ts")).runMcp));
}
