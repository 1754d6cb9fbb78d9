import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { idPrefixes } from "../../../generated/ids.ts";
import { limits } from "../../../generated/limits.ts";
import bundle from "../../../generated/openapi.json" with { type: "json" };
import { customRules } from "../../../openapi/lint/custom-rules.ts";
import { exampleTime, type Sandbox, startSandbox } from "../../../sandbox/index.ts";
import { root } from "../../../scripts/common/paths.ts";
import { readClients } from "../../clients/client.ts";
import { generators } from "../../clients/generators.ts";
import { commandsOf } from "../../clients/tools.ts";
import { type Block, blocksOf, type Page, pages } from "./pages.ts";

// Runs the requests of a guide from top to bottom, as a reader pastes them into a shell, against a sandbox with the demo
// accounts. A request must succeed unless the block below shows an error; the actual response must equal the shown one.

const shellBlocks = (page: (typeof pages)[number]) =>
  blocksOf(page).filter(({ language }) => language === "sh");
const isRequest = ({ code }: Block) => code.startsWith("curl ");
const withRequests = pages.filter((page) => shellBlocks(page).some(isRequest));

/** The time between two requests, in milliseconds. */
const readingTime = 5000;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: { frozen: true, startAt: Date.parse(exampleTime) } });
});
afterAll(() => sandbox.close());

interface Run {
  isError: boolean;
  output: string;
}

/** Runs a block with the sandbox's base URL and ids, and with a curl that fails on an error status. */
function run({ code }: Block, ids: Map<string, string>): Promise<Run> {
  let script = code.replaceAll(/http:\/\/127\.0\.0\.1:4020|https:\/\/api\.example\.com/g, sandbox.url);
  for (const [shown, actual] of ids) script = script.replaceAll(shown, actual);
  const prepared = `set -e\ncurl() { command curl --fail-with-body -sS "$@"; }\n${script}`;
  return new Promise((resolve, reject) => {
    const env = { ...process.env, EMAIL_API_KEY: sandbox.keys["all abilities"] };
    execFile("sh", ["-c", prepared], { env, timeout: 20_000 }, (error, output, stderr) => {
      // 22: an error status. Any other exit code: there is no response.
      if (error !== null && error.code !== 22) reject(new Error(`${error.message}\n${stderr}`));
      else resolve({ isError: error !== null, output });
    });
  });
}

function compare({ output }: Run, shown: ShownResponse, ids: Map<string, string>): void {
  const response = shown.status === undefined ? undefined : parseResponse(output);
  const body = response === undefined ? JSON.parse(output) : response.body;
  expect(asShown(body, shown.body, ids)).toEqual(shown.body);
  if (response === undefined) return;
  expect(response.status).toBe(shown.status);
  const actual = Object.fromEntries(response.headers);
  const expected = Object.fromEntries(shown.headers);
  expect(asShown(actual, expected, ids)).toMatchObject(expected);
}

describe("the requests of a guide get the responses that it shows", () => {
  test.for(withRequests)("$name", { timeout: 60_000 }, async (page) => {
    await sandbox.reset();
    const ids = new Map<string, string>();
    for (const block of shellBlocks(page).filter(isRequest)) {
      const shown = shownBelow(block);
      const result = await run(block, ids);
      const source = `${page.name}:${block.line}`;
      expect({ source, ...result }).toMatchObject({
        source,
        isError: shown !== undefined && isError(shown),
      });
      if (shown !== undefined) compare(result, shown, ids);
      await sandbox.clock.advance(readingTime);
    }
  });
});

test("every other command is listed as exempt", () => {
  const others = pages.flatMap((page) =>
    shellBlocks(page)
      .filter((block) => !isRequest(block))
      .flatMap((block) => commandsIn(block.code).map((command) => ({ command, page: page.name }))),
  );
  expect(others.filter(({ command }) => exemptionOf(command) === undefined)).toEqual([]);
  const used = new Set(others.map(({ command }) => exemptionOf(command)));
  expect(Object.keys(exempt).filter((start) => !used.has(start))).toEqual([]);
});

test("a block that starts with a request has only requests", () => {
  const requests = pages.flatMap((page) => shellBlocks(page).filter(isRequest));
  const commands = requests.flatMap(({ code }) => commandsIn(code));
  expect(commands.filter((command) => !command.startsWith("curl "))).toEqual([]);
  expect(commands.length).toBeGreaterThan(20);
});

test("npx runs what is installed: nothing is fetched from a registry by the name of the package", () => {
  const fetching = pages.filter(({ text }) => /npx (?!--no )\S*email-api-contract/.test(text));
  expect(fetching.map(({ name }) => name)).toEqual([]);
});

test("each page has its own idempotency keys: a reader may run the samples of several in one sandbox", async () => {
  const guidesOfClients = readClients().map(({ id, folder }) => ({
    name: id,
    file: join(folder, "README.md"),
  }));
  const shown = [
    ...pages,
    ...(await Promise.all(
      guidesOfClients.map(async ({ name, file }) => ({ name, text: await readFile(file, "utf8") })),
    )),
  ].flatMap(({ name, text }) =>
    [...new Set(text.match(/\border-\d+-[a-z-]+[a-z]/g))].map((key) => ({ key, name })),
  );
  const byKey = Map.groupBy(shown, ({ key }) => key);
  expect(byKey.size).toBeGreaterThan(guidesOfClients.length);
  expect([...byKey.values()].filter((found) => found.length > 1)).toEqual([]);
});

const tested = "The project's own tests run this command.";

/** The start of each command that the guides show and shell.test.ts does not run, and why. */
const exempt: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    generators.flatMap(commandsOf).map((command) => [command, "npm run clients -- --generators runs it."]),
  ),
  "npm ci": "Installs the project: no test runs without it.",
  "npm start": "CI runs it.",
  "npm test": "These tests are a part of it.",
  "npm install": "Would install packages; generated-client.test.ts uses the same ones.",
  "npm run sandbox":
    "Runs until it is stopped; test/sandbox/serve starts it with the options that are shown.",
  "createuser sandbox": "Changes a PostgreSQL server, which few machines have.",
  "createdb sandbox": "Changes a PostgreSQL server, which few machines have.",
  "PGPASSWORD=... npx --no email-api-contract sandbox": "Uses the database of the two commands before.",
  "pg_dump --schema email_sandbox": "A program of PostgreSQL, which few machines have.",
  "pg_restore --clean": "A program of PostgreSQL, which few machines have.",
  "podman build": "Downloads images; test/container runs the steps of the Containerfile.",
  "podman run": "Runs the image of the command before.",
  "podman save": "Writes the image of the command before to a file.",
  "docker load": "Loads that file.",
  "./start-server": "Stands for the server of the reader.",
  "timeout 60": "Waits for the server of the reader; test/pipelines runs it.",
  "mkdir -p reports": "Makes the folder of the next command.",
  "docker run": "Runs the image that was loaded before.",
  ".contract/node_modules/.bin/email-api-contract contract": tested,
  "git clone --depth 1": "Copies this project, from where the reader has it.",
  "rm -rf vendored/email-api-contract/.git": "Removes the history of that copy.",
  "SANDBOX_DATABASE_PASSWORD=choose-one podman-compose up":
    "Runs images; test/container checks their options.",
  "npm run docs -- --config docs.config.yaml": "package.thorough.test.ts builds with the file of the guide.",
  "npx --no email-api-contract docs": "package.thorough.test.ts builds with the file of the guide.",
  "npm run bench:conformance": "Installs another tool, and runs four on dozens of servers: for minutes.",
  "npm run generate": tested,
  "npm run trace": tested,
  "npm run diff": tested,
  "npm run release": tested,
  "npm run reports":
    "Runs the suites on two servers and eleven clients, for minutes; CI compares what it writes.",
  "npx --no email-api-contract contract": tested,
  "npx --no email-api-contract sandbox --smtp":
    "Runs until it is stopped; test/contract/mail starts it with this option.",
  "npx --no email-api-contract client": tested,
  "npx --no email-api-contract compare": tested,
  "npx --no email-api-contract matrix": tested,
  "npx --no email-api-contract observe": tested,
  "export CONTRACT_API_KEY=sandbox_all_2f7c": "The key of the demo account.",
  "export CONTRACT_API_KEY=...": "The key of a server that only its owner has.",
  "npm init -y": "Creates the package that the client is installed into.",
  "EMAIL_API_KEY=sandbox_all_2f7c EMAIL_API_URL=http://127.0.0.1:4020 node first-email.ts":
    "Runs the TypeScript example of its guide, which has a test of its own.",
  "npx openapi-typescript openapi.json -o email-api.d.ts": "generated-client.thorough.test.ts runs it.",
  "npx node -e": "The last test of this file runs it.",
};

/** The commands of a block without comments. A command that continues on the next line is one. */
const commandsIn = (code: string): string[] =>
  code
    .replaceAll(/\\\n\s*/g, "")
    .replaceAll(/'[^']*'/g, (quoted) => quoted.replaceAll("\n", " "))
    .split("\n")
    .map((line) => line.replace(/(^|\s+)# .*$/, "").trim())
    .filter((line) => line !== "");

/** The entry of `exempt` that a command starts with. */
const exemptionOf = (command: string): string | undefined =>
  Object.keys(exempt).find((start) => command === start || command.startsWith(`${start} `));

/** The response that a guide shows for a request. */
interface ShownResponse {
  /** Undefined if only the body is shown. */
  status?: string;
  headers: [name: string, value: string][];
  body: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The response below a request: its body as `json`, or all of it with some headers as `http`. */
function shownBelow({ next }: Block): ShownResponse | undefined {
  if (next?.language === "json") return { headers: [], body: JSON.parse(next.code) };
  if (next?.language === "http") return parseResponse(next.code);
  return undefined;
}

/** Parses a response as `curl -i` prints it. */
function parseResponse(text: string): ShownResponse {
  const [head = "", ...rest] = text.replaceAll("\r", "").split("\n\n");
  const [first = "", ...lines] = head.split("\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const body = rest.join("\n\n").trim();
  return { status: first.split(" ")[1] ?? "", headers, body: body === "" ? undefined : JSON.parse(body) };
}

const isError = ({ status = "200", body }: ShownResponse): boolean =>
  status >= "400" || (isRecord(body) && "error" in body);

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const isScheduled = (id: string): boolean => id.startsWith(idPrefixes.ScheduledMessageId);

/**
 * The actual response with the ids, times and countdowns of the guide wherever both are of the same kind. Times that
 * the request chose stay as they are. Records in `ids` which id of the guide stands for which actual id.
 */
function asShown(actual: unknown, shown: unknown, ids: Map<string, string>, name = ""): unknown {
  if (Array.isArray(actual) && Array.isArray(shown))
    return actual.map((item, index) => asShown(item, shown[index], ids, name));
  if (isRecord(actual) && isRecord(shown))
    return Object.fromEntries(
      Object.entries(actual).map(([key, value]) => [key, asShown(value, shown[key], ids, key)]),
    );
  if (typeof actual !== "string" || typeof shown !== "string") return actual;
  if (/^(id|.*request[-_]id)$/.test(name) && isScheduled(actual) === isScheduled(shown)) {
    if (!ids.has(shown)) ids.set(shown, actual);
    return ids.get(shown) === actual ? shown : actual;
  }
  if (name !== "scheduled_at" && time.test(actual) && time.test(shown)) return shown;
  if (/remaining|retry-after/.test(name) && /^\d+$/.test(actual) && /^\d+$/.test(shown)) return shown;
  return actual;
}

// A number of the API in a guide is followed by the name of its limit, `100<!-- limit: batchMessages -->`, and must be current.

// The changelog has the numbers of earlier releases.
const current = pages.filter(({ name }) => name !== "docs/changelog.md");

const named: Readonly<Record<string, number>> = limits;
const rows: Readonly<Record<string, { description: string; unit?: string }>> = bundle["x-limits"];

interface Match {
  page: string;
  found: string;
}

const matches = ({ name, text }: Page, pattern: RegExp): Match[] =>
  [...text.matchAll(pattern)].map(([found]) => ({ page: name, found }));

/** Parses 39,146,840 or 39 146 840. */
const numberIn = (number: string): number => Number(number.replaceAll(/[, ]/g, ""));

/** Code blocks have numbers without comments. */
const withoutBlocks = (page: Page): Page => ({
  ...page,
  text: page.text.replaceAll(/^```[\s\S]*?^```$/gm, ""),
});

/** The words for a unit. */
function wordsFor(unit: string): string[] {
  const [first = ""] = unit.split(" ");
  return first === "megabytes" ? [first, "MB"] : [first, first.replace(/e?s$/, "")];
}

describe("numbers of the API", () => {
  test.for(current)("$name: each number is the limit that its comment names", (page) => {
    const outdated = matches(page, /[^<>\n]{0,20}<!-- limit:.*?-->/g).filter(({ found }) => {
      const [, number = "", key = ""] = /(\d[\d, ]*)<!-- limit: (\w+) -->$/.exec(found) ?? [];
      return number === "" || named[key] !== numberIn(number);
    });
    expect(outdated).toEqual([]);
  });

  test.for(current)("$name: no limit is without a comment", (page) => {
    const uncommented = Object.entries(rows).flatMap(([key, { unit }]) =>
      (unit === undefined ? [] : wordsFor(unit)).flatMap((word) =>
        matches(withoutBlocks(page), new RegExp(`(?<![\\d,.])\\d[\\d,]*[ -]${word}\\b`, "g"))
          .filter(({ found }) => Number.parseInt(found.replaceAll(",", ""), 10) === named[key])
          .map((match) => ({ ...match, limit: key })),
      ),
    );
    expect(uncommented).toEqual([]);
  });
});

test("the command of the guide lists every custom lint rule with its description", async () => {
  const shell = pages.flatMap(blocksOf).filter(({ language }) => language === "sh");
  const [command, ...more] = shell.filter(({ code }) => code.startsWith("npx node -e"));
  expect(more).toEqual([]);
  // In a clone `npx node` is the Node that runs this test.
  const script = `npx() { shift; "${process.execPath}" "$@"; }\n${command?.code}`;
  const { stdout } = await promisify(execFile)("sh", ["-c", script], { cwd: root });
  expect(stdout.trim().split("\n")).toEqual(
    Object.entries(customRules).flatMap(([name, { description }]) => [name, `  ${description}`]),
  );
});
