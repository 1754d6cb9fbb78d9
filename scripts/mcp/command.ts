import { type Command, Option } from "commander";
import { action } from "../common/program.ts";

const help = `
An agent starts it and talks to it on standard input and output (Model Context
Protocol). It sends only to this machine: to 127.0.0.1, ::1 and localhost.

API keys come from the environment variables whose names start with CONTRACT_,
as those of the command contract. No result shows their values.`;

const repeated = (flags: string, description: string): Option =>
  new Option(flags, `${description}; repeatable`).argParser((value: string, others: string[] = []) => [
    ...others,
    value,
  ]);

/** Adds the command `mcp`. */
export function addMcpCommand(program: Command): void {
  program
    .command("mcp")
    .description("let a coding agent use the reference, a sandbox and the suites (MCP, stdio)")
    .addOption(repeated("--allow-host <name>", "a host name or IP address that it may send to, too"))
    .addOption(repeated("--allow-driver <command>", "a command of a driver that it may run to test a client"))
    .addHelpText("after", help)
    .action(action(async () => (await import("./server.ts")).runMcp));
}
