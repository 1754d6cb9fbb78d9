import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exampleTime, type Sandbox, startSandbox } from "../../../sandbox/index.ts";
import { commandsIn, exempt, exemptionOf } from "./exempt.ts";
import { type Block, blocksOf, pages } from "./pages.ts";
import { asShown, isError, parseResponse, type ShownResponse, shownBelow } from "./shown-response.ts";

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
