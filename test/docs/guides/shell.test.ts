import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../../sandbox/index.ts";
import { commandsIn, exempt, exemptionOf } from "./exempt.ts";
import { type Block, blocksOf, pages } from "./pages.ts";
import { asShown, isRefusal, readAnswer, type ShownAnswer, shownBelow } from "./shown-answer.ts";

// Blocks of calls run from the top of a page to its end, as a reader pastes them into a shell, against a sandbox with the demo
// accounts. A call must succeed, unless the block below shows an answer that says otherwise; what is shown must be what comes.

const shellBlocks = (page: (typeof pages)[number]) =>
  blocksOf(page).filter(({ language }) => language === "sh");
const isCall = ({ code }: Block) => code.startsWith("curl ");
const withCalls = pages.filter((page) => shellBlocks(page).some(isCall));

/** How long a reader takes from one call to the next. */
const reading = 5000;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: { frozen: true, startAt: Date.parse("2027-01-31T09:00:00Z") } });
});
afterAll(() => sandbox.close());

interface Run {
  refused: boolean;
  output: string;
  complaint: string;
}

/** Runs a block as it stands, but for the address, the ids, and a curl that tells a refusal by its exit status. */
function run({ code }: Block, ids: Map<string, string>): Promise<Run> {
  let script = code.replaceAll(/http:\/\/127\.0\.0\.1:4020|https:\/\/api\.example\.com/g, sandbox.url);
  for (const [shown, actual] of ids) script = script.replaceAll(shown, actual);
  const prepared = `set -e\ncurl() { command curl --fail-with-body -sS "$@"; }\n${script}`;
  return new Promise((resolve, reject) => {
    const env = { ...process.env, EMAIL_API_KEY: sandbox.keys["all abilities"] };
    execFile("sh", ["-c", prepared], { env, timeout: 20_000 }, (error, output, complaint) => {
      // 22: the server refused. Anything else is no answer at all.
      if (error !== null && error.code !== 22) reject(new Error(`${error.message}\n${complaint}`));
      else resolve({ refused: error !== null, output, complaint });
    });
  });
}

function compare({ output }: Run, shown: ShownAnswer, ids: Map<string, string>): void {
  const whole = shown.status === undefined ? undefined : readAnswer(output);
  const body = whole === undefined ? JSON.parse(output) : whole.body;
  expect(asShown(body, shown.body, ids)).toEqual(shown.body);
  if (whole === undefined) return;
  expect(whole.status).toBe(shown.status);
  const actual = Object.fromEntries(whole.headers);
  const wanted = Object.fromEntries(shown.headers);
  expect(asShown(actual, wanted, ids)).toMatchObject(wanted);
}

describe("the calls of a page work when they are pasted", () => {
  test.for(withCalls)("$name", { timeout: 60_000 }, async (page) => {
    await sandbox.reset();
    const ids = new Map<string, string>();
    for (const block of shellBlocks(page).filter(isCall)) {
      const shown = shownBelow(block);
      const result = await run(block, ids);
      const place = `${page.name}:${block.line}`;
      expect({ place, refused: result.refused, output: result.output }).toMatchObject({
        place,
        refused: shown !== undefined && isRefusal(shown),
      });
      if (shown !== undefined) compare(result, shown, ids);
      await sandbox.clock.advance(reading);
    }
  });
});

test("every other command is one that is known not to be run here", () => {
  const others = pages.flatMap((page) =>
    shellBlocks(page)
      .filter((block) => !isCall(block))
      .flatMap((block) => commandsIn(block.code).map((command) => ({ command, page: page.name }))),
  );
  expect(others.filter(({ command }) => exemptionOf(command) === undefined)).toEqual([]);
  const used = new Set(others.map(({ command }) => exemptionOf(command)));
  expect(Object.keys(exempt).filter((beginning) => !used.has(beginning))).toEqual([]);
});

test("a block that begins with a call has nothing but calls in it", () => {
  const calls = pages.flatMap((page) => shellBlocks(page).filter(isCall));
  const commands = calls.flatMap(({ code }) => commandsIn(code));
  expect(commands.filter((command) => !command.startsWith("curl "))).toEqual([]);
  expect(commands.length).toBeGreaterThan(20);
});
