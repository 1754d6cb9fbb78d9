import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import redoclyPackage from "@redocly/cli/package.json" with { type: "json" };
import { expect, test } from "vitest";
import { workflowPages } from "../../scripts/docs/pages/workflows.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { openFront } from "../bench/conformance/front.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { redocly, writeWorkflows } from "./respect.ts";

/** Runs a line of a page after those that set variables. @throws Error with what it printed if it fails */
async function run(lines: string[], url: string, cwd: string): Promise<void> {
  const script = lines.join("\n").replace("npx @redocly/cli@2", redocly);
  const env = { ...process.env, REDOCLY_TELEMETRY: "off" };
  await promisify(execFile)("sh", ["-c", script.replaceAll("http://127.0.0.1:4020", url)], { cwd, env });
}

/** The lines of a page that start with a word. */
const linesOf = (text: string, word: string): string[] =>
  text.split("\n").filter((line) => line.startsWith(`${word} `));

test.each(workflowPages(await readBundle()))(
  "the commands of $path pass on the sandbox",
  async ({ text }) => {
    expect(redoclyPackage.version).toMatch(/^2\./);
    const [, section = ""] = text.split("## In the sandbox");
    const variables = linesOf(section, "export");
    const [reset = "", line] = section.match(/(?<=`)curl [^`]*/g)?.toReversed() ?? [];
    const [first = "", second] = linesOf(text, "npx");
    const folder = temporaryFolder();
    await writeWorkflows(folder);
    const front = await openFront({ title: "the sandbox" });
    const runLine = (one: string) => run([...variables, one], front.url, join(folder, "workflows"));
    try {
      const over = new AbortController();
      const ended = runLine(first).finally(() => over.abort());
      // A page with one command says what to do while it waits, a page with two what to do between them.
      const doing = async (): Promise<void> => {
        while (line && second === undefined && !over.signal.aborted)
          await runLine(line).then(() => wait(100));
      };
      await Promise.all([ended, doing()]);
      for (const one of [line, second, reset]) if (one && second) await runLine(one);
    } finally {
      await front.close();
    }
  },
);
