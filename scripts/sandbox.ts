import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { UserError } from "../lib/user-error.ts";
import { portNumber } from "./command.ts";
import { root } from "./paths.ts";

/** What the verb is given on the command line. */
interface SandboxFlags {
  port: number;
  host: string;
  seed?: string;
  data?: string;
  smtp?: string;
  outbox?: string;
  downloads?: boolean;
  control?: boolean;
  frozen?: boolean;
  startAt?: number;
  randomSeed?: string;
  quiet?: boolean;
  log?: "text" | "json";
}

const startTime = (text: string): number => {
  const time = /T.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UserError(`--start-at is not a time with an offset: ${text}`, {
    hint: "Give one like 2027-01-31T09:00:00Z.",
    exitCode: 2,
  });
};

/** Adds the verb that runs the service of the contract on this machine. */
export function addSandboxVerb(command: Command): void {
  command
    .command("sandbox")
    .description("run the service of this document on this machine, with mail that goes nowhere")
    .addOption(
      new Option("--port <number>", "where to listen; 0 takes any free port")
        .argParser(portNumber)
        .default(4020),
    )
    .addOption(new Option("--host <address>", "the interface to listen on").default("127.0.0.1"))
    .option("--seed <file>", "the accounts to start with, in YAML or JSON; demo accounts otherwise")
    .option("--data <folder>", "keep everything there, also when it stops; in memory otherwise")
    .option("--smtp <url>", "hand mail over to this SMTP server, such as smtp://127.0.0.1:1025")
    .option("--outbox <folder>", "write each message there as .eml once it is sent; a reset takes them away")
    .option("--downloads", "really download the links of attachments")
    .option("--control", "open the page and the control calls to other machines too")
    .option("--frozen", "the clock stands still; only control calls move it")
    .addOption(
      new Option("--start-at <time>", "where the clock starts (ISO 8601); now otherwise").argParser(
        startTime,
      ),
    )
    .option("--random-seed <text>", "what ids are made from: the same again gives the same ids")
    .option("--quiet", "say only the address")
    .addOption(new Option("--log <format>", "how to tell each call").choices(["text", "json"]))
    .action(async ({ frozen, startAt, ...options }: SandboxFlags) => {
      // Kept between starts, so that the next one need not strip types and compile again: a third of the time.
      enableCompileCache(join(root, "node_modules/.cache/compiled"));
      const { runSandbox } = await import("../sandbox/serve.ts");
      setImmediate(flushCompileCache);
      const clock = { ...(frozen !== undefined && { frozen }), ...(startAt !== undefined && { startAt }) };
      process.exitCode = await runSandbox({ ...options, clock });
    });
}
