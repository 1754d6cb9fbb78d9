import { flushCompileCache } from "node:module";
import { type Command, Option } from "commander";
import { usageError } from "../../lib/user-error.ts";
import { readTime } from "../../sandbox/domain/times.ts";
import type { ServeOptions } from "../../sandbox/serve/run.ts";
import { usualMebibytes } from "../../sandbox/store/memory.ts";
import { addListenOptions, docsUrl, wholeNumber } from "../common/program.ts";
import { sandboxPort } from "../common/sandbox-url.ts";

const examples = "examples";

const startTime = (text: string): number | typeof examples => {
  const time = text === examples ? examples : readTime(text);
  if (time !== undefined) return time;
  throw usageError(
    `--start-at must be a time with an offset, or examples (got "${text}")`,
    "Example: 2027-01-31T09:00:00Z.",
  );
};

const help = `
The sandbox prints its base URL, its API keys and a first request. At the base
URL, / has the pages, and /sandbox/ lists the control API.

Exit codes: 0 stopped by a signal, 2 it cannot start.`;

export function addSandboxCommand(program: Command): void {
  const command = program
    .command("sandbox")
    .description("run a working server of this API; its mail stays in an outbox");
  // Who reaches it.
  addListenOptions(command, sandboxPort)
    .option("--allow-host <name...>", "accept requests for these host names too")
    .option("--control", "with --host, let other machines use the pages and the control API");
  // Its accounts, where it keeps data, and where its mail goes.
  command
    .option("--seed <file>", "accounts to start with, YAML or JSON (default: demo accounts)")
    .option(
      "--data <location>",
      "keep all data in this folder, or in a PostgreSQL database: postgres://user@host/database (default: in memory)",
    )
    .option(
      "--memory <MiB>",
      `without --data, keep at most so many MiB of messages, of requests and of idempotency keys each; the oldest go (default: ${usualMebibytes})`,
      wholeNumber("--memory", { hint: `It is a number of MiB; the default is ${usualMebibytes}.` }),
    )
    .option("--smtp <url>", "send mail to this SMTP server, such as smtp://127.0.0.1:1025")
    .option("--outbox <folder>", "write each sent message there as .eml; a reset deletes them")
    .option("--downloads", "download attachments given by link (default: not downloaded)");
  // What depends on time and chance.
  command
    .option("--frozen", "stop the clock; it advances only by the control API")
    .option(
      "--start-at <time>",
      "start time of the clock, such as 2027-01-31T09:00:00Z, or examples: the time at which the examples of the document are valid (default: now)",
      startTime,
    )
    .option("--random-seed <text>", "the same text and the same requests give the same ids");
  // Its output.
  command
    .option("--docs <url>", "link errors to this reference site: on the pages and in the log", docsUrl)
    .option("--quiet", "print only the base URL, and with --log the log")
    .addOption(
      new Option("--log <format>", "format of the log; json: an object per line").choices(["text", "json"]),
    )
    .addHelpText("after", help)
    .action(start);
}

async function start({ frozen, startAt, allowHost, ...options }: SandboxFlags): Promise<void> {
  const { runSandbox } = await import("../../sandbox/serve/run.ts");
  // A signal ends the sandbox before the cache is written at exit.
  setImmediate(flushCompileCache);
  const startsAt =
    // Loaded on demand: the command that generates the file has to start without it.
    startAt === examples ? Date.parse((await import("../../generated/examples.ts")).exampleTime) : startAt;
  const clock = {
    ...(frozen !== undefined && { frozen }),
    ...(startsAt !== undefined && { startAt: startsAt }),
  };
  await runSandbox({ ...options, ...(allowHost !== undefined && { allowHosts: allowHost }), clock });
}

type SandboxFlags = Omit<ServeOptions, "clock" | "allowHosts"> & {
  frozen?: boolean;
  startAt?: ReturnType<typeof startTime>;
  allowHost?: string[];
};
