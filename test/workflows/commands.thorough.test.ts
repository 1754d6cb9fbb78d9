import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import redoclyPackage from "@redocly/cli/package.json" with { type: "json" };
import { expect, test } from "vitest";
import { workflowPages } from "../../scripts/docs/pages/workflows.ts";
import { valueAt } from "../../scripts/document/json-pointer.ts";
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

/** The status and the body of the response to a sample of curl, run after lines that set variables. */
async function responseTo(sample: string, lines: readonly string[], url: string) {
  const script = [...lines, sample.replace("curl ", "curl -s -w '\\n%{http_code}' ")].join("\n");
  const { stdout } = await promisify(execFile)("sh", ["-c", script.replaceAll("http://127.0.0.1:4020", url)]);
  const [, body = "", status = ""] = /^([\s\S]*)\n(\d+)$/.exec(stdout) ?? [];
  return { status, body: JSON.parse(body) as unknown };
}

/** What a step says to keep of a response: lines that set the variables. */
const keptIn = (step: string, body: unknown): string[] =>
  [...step.matchAll(/^- Keep `(\w+)`: the `([\w.]+)` of the response\./gm)].map(
    ([, name = "", path = ""]) => `${name}='${String(valueAt(body, path.split(".")))}'`,
  );

test.each(workflowPages(await readBundle()))(
  "the samples of curl of $path have the expected statuses in the sandbox, with what the steps before keep",
  async ({ text }) => {
    const [steps = "", sandbox = ""] = text.split("## In the sandbox");
    const variables = linesOf(sandbox, "export");
    const [reset = "", line] = sandbox.match(/(?<=`)curl [^`]*/g)?.toReversed() ?? [];
    const front = await openFront({ title: "the sandbox" });
    try {
      const [, ...workflows] = steps.split("\n## As a file")[0]?.split(/^## (?!You need)/m) ?? [];
      for (const [index, workflow] of workflows.entries()) {
        if (index > 0 && line) await run([line], front.url, ".");
        const kept: string[] = [];
        for (const step of workflow.split(/^### /m).slice(1)) {
          if (workflows.length === 1 && line && step.includes("Until then"))
            await run([line], front.url, ".");
          const [, sample = ""] = /^```sh\n(curl[\s\S]*?)\n```/m.exec(step) ?? [];
          const { status, body } = await responseTo(sample, [...variables, ...kept], front.url);
          const [, expected = "2\\d\\d"] = /^- Expect the status (\d+)/m.exec(step) ?? [];
          expect(status, step).toMatch(new RegExp(`^${expected}$`));
          kept.push(...keptIn(step, body));
        }
      }
      await run([reset], front.url, ".");
    } finally {
      await front.close();
    }
  },
);
