import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { type Front, openFront, sender } from "./front.ts";
import { guidePart } from "./guide.ts";
import { independentFaults } from "./independent/all.ts";
import { unseen } from "./independent/fault.ts";
import {
  isDone,
  isIndependent,
  isMadeUp,
  isOwn,
  isReported,
  isVariant,
  type Outcome,
  type Results,
  readResults,
  scoreOf,
  scoreTables,
  type Tool,
  usualOf,
} from "./results.ts";
import { type Kind, type Sample, sampled, serverAt } from "./servers.ts";

const key = { authorization: "Bearer sandbox_all_2f7c" };

let front: Front;
beforeAll(async () => {
  front = await openFront({
    title: "responds to every request with 418",
    intercept: () => async (request, next) => ({ ...(await next(request)), status: 418 }),
  });
});
afterAll(() => front.close());

test("a server under test differs at its port, and its control API does not", async () => {
  expect((await fetch(`${front.url}/api/v1/me`, { headers: key })).status).toBe(418);
  expect((await fetch(`${front.url}/sandbox/clock`)).status).toBe(200);
});

test("requests to the API are counted and recorded, those to the control API are not", async () => {
  const before = front.requests();
  await fetch(`${front.url}/api/v1/me`, { headers: key });
  await fetch(`${front.url}/sandbox/clock`);
  expect(front.requests()).toBe(before + 1);
  expect(front.exchanges.at(-1)).toMatchObject({
    ...{ method: "GET", path: "/api/v1/me", request: { body: null } },
    response: { status: 418, body: expect.stringContaining("bakery") },
  });
});

test("a request that fetch does not send reaches the server", async () => {
  const { send, close } = sender(front.url);
  expect((await send("/api/v1/me", { method: "TRACE", headers: key })).headers.get("allow")).toBe("GET");
  expect((await send("/api/v1/me", { headers: key, body: "{}" })).status).toBe(418);
  close();
});

test("the clock starts at the time that the examples of the document are written for", async () => {
  const { now } = (await (await fetch(`${front.url}/sandbox/clock`)).json()) as { now: string };
  expect(now).toMatch(/^2027-01-31T/);
});

const outcome = (tool: Tool, kind: Kind, index: number, findings: string[]): Outcome => ({
  ...{ tool, kind, index, title: `GEN-${index + 1} ${kind} ${index}`, findings },
  ...{ requests: 100 + index, seconds: 10 },
});
const outcomes: Outcome[] = [
  outcome("drift", "unchanged", 0, ["getEmail header", "getEmail header"]),
  outcome("drift", "unchanged", 1, ["getEmail header", "sendEmail security"]),
  outcome("drift", "mutant", 0, ["sendEmail security"]),
  outcome("drift", "mutant", 40, ["sendEmail security", "sendEmail schema"]),
  outcome("drift", "variant", 0, ["getEmail security"]),
  outcome("drift", "variant", 4, []),
  { ...outcome("drift", "independent", 3, ["getEmail status"]), source: "knadh/listmonk#289" },
  outcome("suite", "mutant", 0, ["SEND-9 a subject of 999 characters is rejected"]),
  { ...outcome("suite", "independent", 3, ["MEMB-16 an update"]), source: "knadh/listmonk#289" },
  { ...outcome("suite", "independent", 7, []), source: unseen },
];
const results: Results = {
  ...{ seconds: 10, seed: 41, outcomes },
  versions: { drift: "2.77.0", suite: "1.0.0", schemathesis: "4.32.5" },
};

test("a mutant is killed by a finding that no run on the unchanged sandbox has", () => {
  expect(scoreOf("drift", outcomes, isOwn)).toMatchObject({ servers: 2, found: 1 });
});

test("the same finding about another operation is another finding", () => {
  expect(scoreOf("drift", outcomes, isVariant)).toMatchObject({ servers: 2, found: 1 });
});

test("different findings on the unchanged sandbox are counted once", () => {
  expect(usualOf("drift", outcomes).size).toBe(2);
});

test("findings of one tool are not compared with those of another", () => {
  expect(scoreOf("suite", outcomes, isOwn)).toMatchObject({ servers: 1, found: 1, requests: 100 });
  expect(usualOf("suite", outcomes).size).toBe(0);
});

test("independent faults are counted apart from own mutants, and by where they come from", () => {
  expect(scoreOf("suite", outcomes, isIndependent)).toMatchObject({ servers: 2, found: 1 });
  expect(scoreOf("suite", outcomes, isMadeUp)).toMatchObject({ servers: 1, found: 0 });
  expect(scoreOf("suite", outcomes, isReported)).toMatchObject({ servers: 1, found: 1 });
});

test("what a file of outcomes has is done, for this tool on this server only", async () => {
  const server = { kind: "mutant", index: 0, title: "mutant 0" } as const;
  expect(isDone(outcomes, server, "suite")).toBe(true);
  expect(isDone(outcomes, server, "respect")).toBe(false);
  expect(isDone(outcomes, { ...server, index: 40 }, "suite")).toBe(false);
  expect(isDone(outcomes, { ...server, kind: "independent" }, "suite")).toBe(false);
  const none = { seconds: 10, seed: 41, versions: {}, outcomes: [] };
  expect(await readResults("no-such-file.json", none)).toEqual(none);
});

test("outcomes measured with another time or on another sample are rejected", async () => {
  const file = join(temporaryFolder(), "results.json");
  await writeFile(file, JSON.stringify(results));
  expect((await readResults(file, results)).outcomes).toEqual(outcomes);
  for (const other of [
    { seconds: 5, seed: 41 },
    { seconds: 10, seed: 42 },
  ])
    await expect(readResults(file, other)).rejects.toThrow(
      `outcomes in ${file} were measured with --seconds 10 --seed 41`,
    );
});

test("each table has a row for each tool that was run, and fits 80 columns", () => {
  const lines = stripVTControlCharacters(scoreTables(results)).split("\n");
  expect(lines.map((line) => line.replaceAll(/ {2,}/g, "  ").trim())).toEqual([
    "own mutants  killed  requests  seconds",
    "this suite 1.0.0  1 of 1  100  10.0",
    "redocly drift 2.77.0  1 of 2  120  10.0",
    "",
    "independent faults  killed  made up  reported  requests  seconds",
    "this suite 1.0.0  1 of 2  0 of 1  1 of 1  105  10.0",
    "redocly drift 2.77.0  1 of 1  0 of 0  1 of 1  103  10.0",
    "",
    "false positives  unchanged  variants",
    "this suite 1.0.0  0  0 of 0",
    "redocly drift 2.77.0  2  1 of 2",
  ]);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test("the guide says how the sample was drawn, and lists its independent faults with what killed each", () => {
  const part = guidePart(
    results,
    { mutant: 1297, independent: 90, variant: 47 },
    new Date("2026-11-27T15:00:00Z"),
  );
  expect(part).toContain(
    [
      "Measured on 2026-11-27 with `--seed 41 --seconds 10`, Schemathesis 4.32.5 and Redocly CLI 2.77.0:",
      "2 of 1,297 own mutants, 2 of 90 independent faults",
      "and 2 of 47 conforming variants.",
    ].join("\n"),
  );
  expect(part).toContain("| redocly drift | 1 of 1 | 0 of 0 | 1 of 1 | 103 | 10.0 |");
  expect(part.split("\n").slice(-2)).toEqual([
    "| Independent 3 | GEN-4 | [knadh/listmonk#289](https://github.com/knadh/listmonk/issues/289) | this suite, redocly drift |",
    "| Independent 7 | GEN-8 | made up | none |",
  ]);
});

const sizes = { baselines: 4, mutants: 8, independent: 12, variants: 4 };

test("a sample is the same for the same seed, another for another, and begins as a smaller one does", async () => {
  const titles = async (options: Partial<Sample>): Promise<string[]> =>
    (await sampled({ seed: 41, ...sizes, ...options })).map(({ kind, title }) => `${kind} ${title}`);
  const sample = await titles({});
  expect(sample).toHaveLength(28);
  expect(new Set(sample).size).toBe(25);
  expect(await titles({})).toEqual(sample);
  expect(await titles({ seed: 42 })).not.toEqual(sample);
  const larger = await titles({ mutants: 16, independent: 24, variants: 8 });
  expect(sample.filter((title) => !larger.includes(title))).toEqual([]);
});

test("the first quarter of a sample has a quarter of each kind", async () => {
  const first = (await sampled({ seed: 41, ...sizes })).slice(0, 7);
  expect(Object.groupBy(first, ({ kind }) => kind)).toMatchObject({
    unchanged: { length: 1 },
    mutant: { length: 2 },
    independent: { length: 3 },
    variant: { length: 1 },
  });
});

test("independent faults have different titles, and the source of each is its author or a public report", () => {
  const titles = independentFaults.map(({ requirement, title }) => `${requirement} ${title}`);
  expect(new Set(titles).size).toBe(titles.length);
  const others = independentFaults.filter(({ source }) => source !== unseen);
  expect(others.length).toBeGreaterThanOrEqual(15);
  for (const { source } of others) expect(source).toMatch(/^[\w-]+\/[\w.-]+#\d+$/);
});

test("an independent fault is a server under test", async () => {
  const index = independentFaults.findIndex(({ source }) => source === "NLstn/go-odata#729");
  const other = await openFront(await serverAt("independent", index));
  const { send, close } = sender(other.url);
  const response = await send("/api/v1/me", { method: "DELETE", headers: key });
  expect([response.status, response.headers.get("allow")]).toEqual([405, null]);
  close();
  await other.close();
});
