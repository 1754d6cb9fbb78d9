import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createProgram } from "../../scripts/cli.ts";
import { root } from "../../scripts/common/paths.ts";
import { runHere } from "./run-here.ts";

interface Case {
  name: string;
  arguments: string[];
  status: number;
  words: RegExp[];
}

/** A module that Node loads before the program, to change its environment. */
const before = (code: string): string => `--import=data:text/javascript,${encodeURIComponent(code)}`;
const oldNode = before('Object.defineProperty(process, "versions", { value: { node: "20.19.0" } })');
const brokenConsole = before('console.log = () => { throw new Error("the console is gone") }');

const asProcess: (Case & { node?: string[] })[] = [
  {
    name: "bundle names its files",
    arguments: ["bundle"],
    status: 0,
    words: [/unchanged generated\/openapi\.json/],
  },
  {
    name: "help lists every command",
    arguments: ["--help"],
    status: 0,
    words: [/start/, /generate/, /contract/, /trace/],
  },
  {
    name: "an unknown command",
    arguments: ["lnit"],
    status: 2,
    words: [/unknown command 'lnit'/, /Did you mean lint/],
  },
  {
    name: "an old Node",
    node: [oldNode],
    arguments: ["lint"],
    status: 2,
    words: [/requires Node 24\./, /npm ci/],
  },
  {
    name: "an internal error",
    node: [brokenConsole],
    arguments: ["bundle"],
    status: 70,
    words: [/^Error: the console is gone\n +at /],
  },
];

test.concurrent.for(asProcess)(
  "$name: exit code $status",
  { timeout: 120_000 },
  async (row, { expect: expected }) => {
    const outcome = await run([...(row.node ?? []), "bin/email-api-contract.js", ...row.arguments]);
    for (const words of row.words) expected(outcome.text).toMatch(words);
    expected(outcome.status).toBe(row.status);
  },
);

test("an old Node that starts an installed package has a hint without npm scripts", async () => {
  const folder = mkdtempSync(join(tmpdir(), "old-node-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of ["package.json", "bin/email-api-contract.js"])
    cpSync(join(root, file), join(folder, file));
  const { status, text } = await run([oldNode, join(folder, "bin/email-api-contract.js"), "sandbox"]);
  expect([status, text]).toEqual([
    2,
    expect.stringMatching(/requires Node 24\.[\s\S]*\n *hint: +Install a newer Node/),
  ]);
});

const here: Case[] = [
  {
    name: "an unknown option",
    arguments: ["generate", "--chek"],
    status: 2,
    words: [/unknown option '--chek'/],
  },
  {
    name: "an invalid value",
    arguments: ["lint", "--format", "xml"],
    status: 2,
    words: [/Allowed choices are text, json/],
  },
  {
    name: "an invalid port",
    arguments: ["mock", "--port", "x"],
    status: 2,
    words: [/error: --port must be a whole number from 0 to 65535 \(got "x"\)/, /hint: /],
  },
  {
    name: "a missing file",
    arguments: ["lint", "--config", "no.yaml"],
    status: 2,
    words: [/^error: cannot read no\.yaml: there is no such file\nhint: /],
  },
];

test.for(here)("$name: exit code $status, in this process", { timeout: 120_000 }, async (row) => {
  const { status, out, err } = await runHere(...row.arguments);
  for (const words of row.words) expect(out + err).toMatch(words);
  expect(status).toBe(row.status);
});

test("a reader that closes the pipe is no error", async () => {
  const child = spawn(process.execPath, ["scripts/cli.ts", "--help"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  const [errors] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect({ errors, code: child.exitCode }).toEqual({ errors: "", code: 0 });
});

test("every command is an npm script, and every npm script of the command line is a command", async () => {
  const { default: packageJson } = await import("../../package.json", { with: { type: "json" } });
  const scripts = Object.values(packageJson.scripts).flatMap(
    (line) => /scripts\/cli\.ts (\w+)$/.exec(line)?.[1] ?? [],
  );
  expect(scripts.sort()).toEqual(
    createProgram()
      .commands.map((command) => command.name())
      .sort(),
  );
});

function run(args: string[]): Promise<{ status: number | null; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
    }
    child.on("error", reject).on("close", (status) => {
      resolve({ status, text: stripVTControlCharacters(text) });
    });
  });
}
