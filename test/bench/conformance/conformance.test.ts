import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { type Front, openFront, sender } from "./front.ts";
import {
  isDone,
  type Outcome,
  type Results,
  readResults,
  scoreOf,
  scoreTable,
  type Tool,
} from "./results.ts";
import type { Kind } from "./servers.ts";

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
  ...{ tool, kind, index, title: `${kind} ${index}`, findings },
  ...{ requests: 100 + index, seconds: 10 },
});
const outcomes = [
  outcome("drift", "unchanged", 0, ["getEmail header", "getEmail header"]),
  outcome("drift", "unchanged", 1, ["getEmail header", "sendEmail security"]),
  outcome("drift", "mutant", 0, ["sendEmail security"]),
  outcome("drift", "mutant", 40, ["sendEmail security", "sendEmail schema"]),
  outcome("drift", "variant", 0, ["getEmail security"]),
  outcome("drift", "variant", 4, []),
  outcome("suite", "mutant", 0, ["SEND-9 a subject of 999 characters is rejected"]),
];

test("a mutant is killed by a finding that no run on the unchanged sandbox has", () => {
  expect(scoreOf("drift", outcomes)).toMatchObject({ mutants: 2, killed: 1 });
});

test("the same finding about another operation is another finding", () => {
  expect(scoreOf("drift", outcomes)).toMatchObject({ variants: 2, wrongVariants: 1 });
});

test("different findings on the unchanged sandbox are counted once", () => {
  expect(scoreOf("drift", outcomes).onUnchanged).toBe(2);
});

test("findings of one tool are not compared with those of another", () => {
  expect(scoreOf("suite", outcomes)).toMatchObject({ mutants: 1, killed: 1, onUnchanged: 0, requests: 100 });
});

test("what a file of outcomes has is done, for this tool on this server only", async () => {
  const server = { kind: "mutant", index: 0, title: "mutant 0" } as const;
  expect(isDone(outcomes, server, "suite")).toBe(true);
  expect(isDone(outcomes, server, "respect")).toBe(false);
  expect(isDone(outcomes, { ...server, index: 40 }, "suite")).toBe(false);
  expect(await readResults("no-such-file.json", 10)).toEqual({ seconds: 10, versions: {}, outcomes: [] });
});

test("outcomes measured with another time are rejected", async () => {
  const file = join(temporaryFolder(), "results.json");
  await writeFile(file, JSON.stringify({ seconds: 10, versions: {}, outcomes }));
  expect((await readResults(file, 10)).outcomes).toEqual(outcomes);
  await expect(readResults(file, 5)).rejects.toThrow(`outcomes in ${file} were measured with --seconds 10`);
});

test("the table has a row for each tool that was run, and fits 80 columns", () => {
  const results: Results = { seconds: 10, versions: { drift: "2.77.0", suite: "1.0.0" }, outcomes };
  const lines = stripVTControlCharacters(scoreTable(results)).split("\n");
  expect(lines.map((line) => line.replaceAll(/ {2,}/g, "  ").trim()).slice(1)).toEqual([
    "this suite 1.0.0  1 of 1  0  0 of 0  100  10.0",
    "redocly drift 2.77.0  1 of 2  2  1 of 2  108  10.0",
  ]);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
