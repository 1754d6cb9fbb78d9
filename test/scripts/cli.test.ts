import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import type { Command } from "commander";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { createProgram } from "../../scripts/cli.ts";
import { root } from "../../scripts/common/paths.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runHere } from "./run-here.ts";

/** A command line, its exit code and what it prints; options of Node itself. */
type Case = [name: string, args: string[], status: number, words: RegExp[], node?: string[]];

/** A module that Node loads before the program, to change its environment. */
const before = (code: string): string => `--import=data:text/javascript,${encodeURIComponent(code)}`;
const oldNode = before('Object.defineProperty(process, "versions", { value: { node: "20.19.0" } })');
const brokenConsole = before('console.log = () => { throw new Error("the console is gone") }');

const asProcess: Case[] = [
  ["bundle names its files", ["bundle"], 0, [/unchanged generated\/openapi\.json/]],
  ["help lists every command", ["--help"], 0, [/start/, /generate/, /contract/, /trace/]],
  ["an old Node", ["lint"], 2, [/requires Node 24\./, /npm ci/], [oldNode]],
  ["an internal error", ["bundle"], 70, [/^Error: the console is gone\n +at /], [brokenConsole]],
];

test.concurrent.for(asProcess)("%s", { timeout: 120_000 }, async (row, { expect: expected }) => {
  const [, args, status, words, node = []] = row;
  const outcome = await run([...node, "bin/email-api-contract.js", ...args]);
  for (const one of words) expected(outcome.text).toMatch(one);
  expected(outcome.status).toBe(status);
});

test("an old Node that starts an installed package has a hint without npm scripts", async () => {
  const folder = temporaryFolder();
  for (const file of ["package.json", "bin/email-api-contract.js"])
    cpSync(join(root, file), join(folder, file));
  const { status, text } = await run([oldNode, join(folder, "bin/email-api-contract.js"), "sandbox"]);
  expect([status, text]).toEqual([
    2,
    expect.stringMatching(/requires Node 24\.[\s\S]*\n *hint: +Install a newer Node/),
  ]);
});

const here: Case[] = [
  [
    "an invalid port",
    ["mock", "--port", "x"],
    2,
    [/error: --port must be a whole number from 0 to 65535 \(got "x"\)/, /hint: /],
  ],
  [
    "a missing file",
    ["lint", "--config", "no.yaml"],
    2,
    [/^error: cannot read no\.yaml: there is no such file\nhint: /],
  ],
  ["a version that is none", ["release", "next"], 2, [/^error: .*next/]],
  ...["http://staging.example.com", "staging.example.com:443", " "].map((host): (typeof here)[number] => [
    `no host: "${host}"`,
    ["mcp", "--allow-host", host],
    2,
    [/is not a host name.*without scheme and port/s],
  ]),
];

test.for(here)("%s, in this process", { timeout: 120_000 }, async ([, args, wanted, words]) => {
  const { status, out, err } = await runHere(...args);
  for (const one of words) expect(out + err).toMatch(one);
  expect(status).toBe(wanted);
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

test("each command that listens has a port of its own", () => {
  const ports = createProgram().commands.flatMap(({ options }) =>
    options.filter(({ long }) => long === "--port").map(({ defaultValue }) => Number(defaultValue)),
  );
  expect(ports.toSorted()).toEqual([4010, 4020, 4030, 4040]);
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

/** What is wrong: begins with a lower-case letter, a value or a name, and ends without a full stop. */
const message = /^(?![A-Z][a-z]+[ ,.])(?!.*[.:]$)/;
/** What to do: a sentence. */
const hint = /^["A-Z0-9`-][\s\S]*[.?…]$/;
/** Names that begin with a capital letter. */
const names = /^(Prism|Redocly) /;

const sources = ["scripts", "lib", "sandbox", "contract"].flatMap((folder) =>
  globSync(`${folder}/**/*.ts`, { cwd: root }),
);

/** The texts that an expression can have, with `…` for each inserted value. */
function textsOf(node: ts.Node | undefined): string[] {
  if (node === undefined) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (!ts.isTemplateExpression(node)) return [];
  return [node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("")];
}

/** Functions of some files that create errors, from a message and a hint. */
const creators = ["fail", "usageError", "UserError"];

/** The messages and hints of the errors in a source file. */
function errorsIn(file: string): { messages: string[]; hints: string[] } {
  const found = { messages: [] as string[], hints: [] as string[] };
  const text = readFileSync(join(root, file), "utf8");
  if (!/UserError|usageError/.test(text)) return found;
  const visit = (node: ts.Node): void => {
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && ts.isIdentifier(node.expression)) {
      const [first, second] = creators.includes(node.expression.text) ? (node.arguments ?? []) : [];
      found.messages.push(...textsOf(first));
      found.hints.push(...textsOf(second));
    }
    const isHint = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node);
    if (isHint && node.name.getText() === "hint") found.hints.push(...textsOf(node.initializer));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

describe("every error of every command", () => {
  const errors = sources.map(errorsIn);

  test("says what is wrong in lower case, without a full stop", () => {
    const messages = errors.flatMap((one) => one.messages);
    expect(messages.length).toBeGreaterThan(60);
    expect(messages.filter((text) => !message.test(text) && !names.test(text))).toEqual([]);
  });

  test("says what to do in sentences", () => {
    const hints = errors.flatMap((one) => one.hints);
    expect(hints.length).toBeGreaterThan(60);
    expect(hints.filter((text) => !hint.test(text))).toEqual([]);
  });
});

/** The words of every command, with those below it. */
const commandsOf = (command: Command): string[][] =>
  command.commands.flatMap((one) => [
    [one.name()],
    ...commandsOf(one).map((words) => [one.name(), ...words]),
  ]);

test.each(commandsOf(createProgram()).map((words) => ({ command: words.join(" "), words })))(
  "$command: a usage error names the command to get help with",
  async ({ command, words }) => {
    const { status, out, err } = await runHere(...words, "--no-such-option");
    expect(err).toBe(
      `error: unknown option '--no-such-option'\nhint:  See \`email-api-contract ${command} --help\`.\n`,
    );
    expect([status, out]).toEqual([2, ""]);
  },
);

test.each([
  ["lnit", "error: unknown command 'lnit'\nhint:  Did you mean lint? See `email-api-contract --help`.\n"],
  [
    "lint --format xml",
    "error: option '--format <format>' argument 'xml' is invalid\nhint:  Allowed choices are text, json. See `email-api-contract lint --help`.\n",
  ],
  [
    "release 1.1.0 1.2.0",
    "error: too many arguments for 'release'\nhint:  Expected 1 argument but got 2: 1.1.0, 1.2.0. See\n       `email-api-contract release --help`.\n",
  ],
  [
    "contract init --junit x.xml",
    "error: unknown option '--junit'\nhint:  See `email-api-contract contract init --help`.\n",
  ],
])("%s", async (words, text) => {
  const { err } = await runHere(...words.split(" "));
  expect(err).toBe(text);
});

test.each([
  ["contract init", ["--base-url", "--profile", "--wait", "--output", "--force"]],
  ["contract doctor", ["--base-url", "--config", "--profile", "--without", "--wait", "--reset"]],
])("the help of %s lists the options of its parent that apply", async (command, options) => {
  const { out } = await runHere(...command.split(" "), "--help");
  expect([...out.matchAll(/^ +(--[\w-]+)/gm)].map(([, name]) => name)).toEqual(options);
});

test("docs --serve reports a port in use before it builds the site", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const { status, out, err } = await runHere("docs", "--serve", "--port", String(port));
    expect(err).toBe(
      `error: port ${port} on 127.0.0.1 is in use\nhint:  Choose another with --port; 0 takes any free port.\n`,
    );
    expect([status, out]).toEqual([2, ""]);
  } finally {
    server.close();
  }
});

// Prints the modules of this project that a command loads before it runs.
const hooks = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from "node:module";
registerHooks({ load(url, context, next) { console.log(url); return next(url, context); } });`)}`;

test("a command loads the contract suite, the checks of clients and fast-check only when it runs them", () => {
  const output = execFileSync(
    process.execPath,
    ["--import", hooks, join(root, "scripts/cli.ts"), "sandbox", "--help"],
    { encoding: "utf8" },
  );
  const loaded = output.split("\n").filter((line) => line.startsWith("file:"));
  expect(loaded.length).toBeGreaterThan(10);
  expect(loaded.filter((url) => /\/checks\/|fast-check/.test(url))).toEqual([]);
});
