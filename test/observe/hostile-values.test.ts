import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { Observer } from "../../contract/observe/observer.ts";
import { consoleText } from "../../contract/report/console.ts";
import { jsonText } from "../../contract/report/json.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { jsonOf } from "../../lib/objects.ts";
import { readHar } from "../../scripts/observe/read-har.ts";
import { readNdjson } from "../../scripts/observe/read-traffic.ts";
import { resultOf } from "../../scripts/observe/run-command.ts";
import { Traffic } from "../../scripts/observe/traffic.ts";

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const right = { method: "GET", url: "http://a.example/api/v1/me", status: 200, responseBody: "{}" };

/** Observes lines, and returns how many exchanges the JSON report has. */
async function observed(lines: readonly string[]): Promise<number> {
  const observer = new Observer();
  const traffic = new Traffic(observer);
  for await (const one of readNdjson(Readable.from([lines.join("\n")]), "a.ndjson")) traffic.add(one);
  observer.end();
  const result = resultOf(observer, traffic, {}, { expected: [] });
  expect(consoleText(result)).not.toBe("");
  return (JSON.parse(jsonText(result)) as ContractResult).requests;
}

describe("what a peer sent does not end the observation", () => {
  it.each<[string, object | string]>([
    ["a response of 4,000 nested arrays", { ...right, responseBody: nested(4000) }],
    ["a request of 40,000 nested arrays", { ...right, method: "POST", requestBody: nested(40_000) }],
    ["a body as a value of 4,000 nested arrays", JSON.stringify(right).replace('"{}"', nested(4000))],
    ["a body as a value of 100,000 nested arrays", JSON.stringify(right).replace('"{}"', nested(100_000))],
    ["the time 1e300", { ...right, startedAt: 1e300 }],
    ["the time -1e300", { ...right, startedAt: -1e300 }],
    ["a time after the last date", { ...right, startedAt: 8.64e15, milliseconds: 8.64e15 }],
    ["a duration of 1e300", { ...right, startedAt: 0, milliseconds: 1e300 }],
    ["a negative duration", { ...right, startedAt: 0, milliseconds: -5 }],
    ["a status of 1e300", { ...right, status: 1e300 }],
    ["a fraction as status", { ...right, status: 200.5 }],
    ["a status below 100", { ...right, status: 99 }],
    ["nested arrays as a header", { ...right, responseHeaders: { a: [[["b"]]] } }],
    [
      "names of prototypes",
      '{"__proto__":{"a":1},"constructor":1,"method":"GET","url":"http://a.example/api/v1/me","status":200}',
    ],
  ])("%s", async (_, line) => {
    const text = typeof line === "string" ? line : JSON.stringify(line);
    expect(await observed([JSON.stringify(right), text, JSON.stringify(right)])).toBe(3);
  });
});

it("objects that convert to no text, and times that are none, end no observation", () => {
  const none = { toString: 1, valueOf: 1 };
  const names = [
    "id",
    "from",
    "to",
    "subject",
    "tags",
    "scheduled_at",
    "sent_at",
    "status",
    "email",
    "list_id",
  ];
  const error = { type: none, fields: none, message: none };
  const requests = [
    ...[
      ["POST", "/emails"],
      ["POST", "/emails/batch"],
      ["GET", "/emails/m"],
      ["DELETE", "/emails/m"],
    ],
    ...[
      ["POST", "/newsletter/contacts"],
      ["GET", "/newsletter/contacts/a%40b.example"],
    ],
  ] as const;
  const right = { id: "m", from: "a@b.example", to: ["c@d.example"], subject: "a", text: "b", list_id: 2 };
  for (const value of [none, "no time"])
    for (const name of names)
      for (const status of [200, 422]) {
        const body = { ...right, email: "a@b.example", [name]: value };
        const text = JSON.stringify({ ...body, error, emails: [body], data: [body], lists: [body] });
        const observer = new Observer({ keys: { full: "key" }, isAllTraffic: true });
        for (const [index, [method, path]] of [...requests, ...requests].entries())
          observer.add({
            ...{ method, path: `/api/v1${path}`, status, requestBody: text, responseBody: text },
            ...{ startedAt: index * 1000, milliseconds: 1, requestHeaders: { authorization: "Bearer key" } },
            responseHeaders: { "content-type": "application/json" },
          });
        observer.end();
        expect(observer.counts.exchanges).toBe(12);
      }
});

it("an object in place of a text or number, which converts to none, ends no archive", () => {
  const none = { toString: 1, valueOf: 1 };
  const headers = [{ name: none, value: none }];
  const request = { method: none, url: none, httpVersion: none, headers, bodySize: none };
  const response = { status: none, headers: { a: none, b: [none] }, content: { size: none, text: none } };
  const entry = {
    startedDateTime: none,
    time: none,
    timings: { wait: none },
    _fetchType: none,
    connection: none,
  };
  const all = [request, { ...request, method: "GET" }].map((one) => ({ ...entry, request: one, response }));
  const archive = JSON.stringify({ log: { creator: { name: "Firefox" }, entries: [...all, none] } });
  expect([...readHar(archive, "a.har")]).toHaveLength(3);
});

it("an archive may have more entries than a function has arguments", () => {
  const entries = Array.from({ length: 200_000 }, () => ({}));
  expect([...readHar(JSON.stringify({ log: { entries } }), "a.har")]).toHaveLength(200_000);
});

it("JSON is read up to 500 levels", () => {
  expect(jsonOf(nested(500))).toBeDefined();
  expect(jsonOf(nested(501))).toBeUndefined();
  expect(jsonOf(`{"a":${nested(100_000)}}`)).toBeUndefined();
});
