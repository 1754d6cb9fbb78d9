import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ContractResult } from "../../contract/report/result.ts";
import { runCompare } from "../../scripts/compare/command.ts";
import { runObserveCommand } from "../../scripts/observe/run-command.ts";
import { folderWith } from "../contract/config/folder.ts";
import { accepted, base, entry, error, exchange, har, line, message, right, wrong } from "./samples.ts";

let folder: string;
let printed: string[];
beforeEach(() => {
  folder = folderWith();
  printed = [];
  vi.spyOn(console, "log").mockImplementation((text: string) => printed.push(text));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const file = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};
const observe = (options: object): Promise<number> =>
  runObserveCommand({ port: 0, host: "127.0.0.1", ...options });
const observeLines = async (lines: readonly string[], options: object = {}): Promise<number> =>
  observe({ ndjson: [await file("a.ndjson", lines.join("\n"))], ...options });
const text = (): string => printed.join("\n").replaceAll(/\s+/g, " ");
const [rightLine, wrongLine] = [line(right), line(wrong)];
const preflight = {
  ...right,
  method: "OPTIONS",
  status: 204,
  requestHeaders: {},
  responseHeaders: { "access-control-allow-methods": "POST" },
  responseBody: "",
};
const unknown = ["/api/v1/lists", "/api/v1/email?a=1"].map((path) =>
  line(exchange("GET", path, error(404, "not_found"))),
);
const unsupported = line(exchange("PUT", "/api/v1/me", error(405, "method_not_allowed")));
const silentLine = line(exchange("GET", "/api/v1/newsletter/lists", { status: 0 }));
const withFragment = { ...wrong, path: `${wrong.path}#part` };
const withoutIds = { ...wrong, responseHeaders: { "content-type": "application/json" } };
const elsewhere = entry(right, "https://other.example.com");

describe("the command observe", () => {
  it.each<[title: string, lines: string[], code: number, ...printed: string[]]>([
    ["exits with 0 if no requirement fails", [rightLine, ""], 0, "no requirement fails in the traffic"],
    ["exits with 1 if one fails, and shows it", [wrongLine], 1, "SEND-6", "POST /api/v1/emails"],
    [
      "counts requests to paths that the document does not have",
      [...unknown, rightLine, unsupported],
      1,
      "; 2 requests to paths below /api/v1 that the document does not have.",
    ],
    [
      "counts what the traffic does not show, and names no option that it lacks",
      [line(withoutIds)],
      1,
      "- Not seen in the traffic: ",
      "Other failures, in full with --html report.html:",
    ],
    [
      "exits with 1 if an operation never responded, and names it",
      [rightLine, silentLine, silentLine],
      1,
      "2 without a response of the server;",
      "requirements end in an error. GET /api/v1/newsletter/lists never responded (2 of 2 tries, no response in the traffic).",
    ],
    [
      "counts and names requests without a response to an operation that responded to others",
      [rightLine, line({ ...right, status: 504 })],
      0,
      "1 without a response of the server: POST /api/v1/emails (1).",
    ],
    ["ignores requests with a fragment, which clients do not send", [rightLine, line(withFragment)], 0],
    ["reads lines after a byte order mark", [`\uFEFF${rightLine}`], 0],
  ])("%s", async (_, lines, code, ...expected) => {
    expect(await observeLines(lines)).toBe(code);
    for (const part of expected) expect(text()).toContain(part);
  });

  it.each<[title: string, archives: string[], code: number, ...printed: string[]]>([
    [
      "preflights, also those without their request headers",
      [har(entry(preflight), entry(right))],
      0,
      "1 exchange with 1 key; 1 ignored: preflights (1)",
    ],
    [
      "other hosts, in several files",
      [har(entry(right), elsewhere), har(entry(wrong))],
      1,
      "2 exchanges with 1 key; 1 ignored: other hosts or paths (1)",
    ],
    ["no URLs with fragments", [har(entry(withFragment))], 1],
  ])("ignores in HTTP archives %s", async (_, archives, code, ...expected) => {
    const files = await Promise.all(archives.map((one, index) => file(`${index}.har`, one)));
    expect(await observe({ har: files })).toBe(code);
    for (const part of expected) expect(text()).toContain(part);
  });

  it("writes reports", async () => {
    const json = join(folder, "report.json");
    await observeLines([rightLine], { json });
    expect(JSON.parse(await readFile(json, "utf8"))).toMatchObject({
      baseUrl: base,
      exitCode: 0,
      traffic: { exchanges: 1, ignored: 0, keys: 1 },
    });
  });

  it("names the time and the request id of a failure in every report", async () => {
    const files = {
      markdown: join(folder, "a.md"),
      junit: join(folder, "a.xml"),
      html: join(folder, "a.html"),
    };
    await observeLines([wrongLine], files);
    const time = new Date(Math.round(wrong.startedAt ?? 0)).toISOString();
    const id = wrong.responseHeaders["x-service-request-id"];
    const texts = await Promise.all(Object.values(files).map((name) => readFile(name, "utf8")));
    for (const text of [printed.join("\n"), ...texts])
      expect(text.replaceAll("\\", "")).toContain(`${time}, request id ${id}`);
  });

  it.each([
    ["without an offset", "2026-11-24T12:00:02"],
    ["in another time zone", "2026-11-24T12:00:02+02:00"],
  ])("has one entry for times %s, which names all properties", async (_, time) => {
    const message = {
      ...{ id: "m", from: "shop@bakery.example", to: ["ada@readers.example"], subject: "Hello", tags: {} },
      ...{ status: "delivered", status_description: "Delivered.", scheduled_at: null, bounce: null },
      ...{ sent_at: time, delivered_at: time, bounced_at: null, complained_at: null },
      events: ["sent", "delivered"].map((type) => ({ type, at: time, detail: null })),
    };
    const membership = {
      ...{ list_id: 2, email: "ada@readers.example", status: "unsubscribed", status_description: "Left." },
      ...{ first_name: null, last_name: null, fields: {}, tags: [] },
      ...{ subscribed_at: time, unsubscribed_at: time },
    };
    const contact = { email: "ada@readers.example", marketing_blocked: true, lists: [membership] };
    const lines = [
      exchange("GET", "/api/v1/emails/m", { received: message }),
      exchange("GET", "/api/v1/newsletter/contacts/ada%40readers.example", { received: contact }),
    ].map(line);
    for (const showBodies of [true, false]) {
      printed = [];
      expect(await observeLines(lines, { showBodies })).toBe(1);
      const [, names = ""] =
        /cause Times are not written in UTC with Z at the end \((.*?)\)/.exec(text()) ?? [];
      expect(names.split(", ").toSorted()).toEqual([
        "at",
        "delivered_at",
        "sent_at",
        "subscribed_at",
        "unsubscribed_at",
      ]);
      expect(text().match(/ expected /g)).toHaveLength(1);
    }
  });

  it("begins its page with the requirements that have a verdict, with names as code", async () => {
    const html = join(folder, "a.html");
    await observeLines([line(withoutIds)], { html });
    const page = await readFile(html, "utf8");
    expect(page).toMatch(/id="show-decided" value="decided" checked>/);
    expect(page).toContain('<article class="requirement fail decided" id="SEND-6">');
    expect(page).toContain('<article class="requirement unverified" id="SEND-9">');
    expect(page).not.toMatch(/<summary>[^<]*`/);
  });

  it.each([
    ["x-service-request-id", "HEAD-1"],
    ["x-service-monthly-remaining", "HEAD-4"],
    ["x-ratelimit-limit", "HEAD-6"],
  ])("reports a missing header once, for the requirement that it is there: %s", async (name, id) => {
    const { [name]: _, ...responseHeaders } = right.responseHeaders;
    const json = join(folder, "a.json");
    await observeLines([line({ ...right, responseHeaders })], { json });
    const result = JSON.parse(await readFile(json, "utf8")) as ContractResult;
    const failed = result.checks.filter(({ verdict }) => verdict === "fail");
    expect(failed.map(({ ids }) => ids)).toEqual([[id]]);
  });

  it("exits with 0 if the failures are expected", async () => {
    const list = await file("expected.yaml", "- id: SEND-6\n  reason: known\n");
    expect(await observeLines([wrongLine], { expectedFailures: list })).toBe(0);
  });

  it.each([
    ["has none of the configuration's keys", "another_key", true],
    ["has one of the configuration's keys", "key_of_samples", false],
  ])("warns if the traffic has none of its keys: it %s", async (_, key, isWarned) => {
    vi.stubEnv("CONTRACT_API_KEY", key);
    const config = await file("a.yaml", "lists: { plain: 2 }\n");
    expect(await observeLines([rightLine], { config })).toBe(0);
    expect(printed.join("\n").includes("none of the configuration's keys")).toBe(isWarned);
    expect(printed.join("\n")).toContain("1 exchange with 1 key.");
  });

  it("names the operations that the configuration takes out, whose expired entries can go", async () => {
    const config = await file("a.yaml", "notImplemented: [sendBatch]\n");
    const expectedFailures = await file("b.yaml", "- { id: BATCH-1, until: 2026-01-31 }\n");
    expect(await observeLines([rightLine], { config, expectedFailures })).toBe(1);
    expect(text()).toContain("which pass or are not implemented: remove their entries: - BATCH-1");
    expect(text()).not.toContain("fix them");
    expect(text()).toContain("observed traffic, not implemented: sendBatch");
  });

  it("warns of an expected failure that passes, which fails nothing", async () => {
    const expectedFailures = await file("expected.yaml", "- id: HEAD-1\n  reason: known\n");
    const files = { annotations: join(folder, "a.txt"), junit: join(folder, "a.xml") };
    expect(await observeLines([rightLine], { expectedFailures, ...files })).toBe(0);
    const annotations = await readFile(files.annotations, "utf8");
    expect(annotations).toContain(
      "::warning title=Stale expected failures%2C which pass%3A remove their entries::",
    );
    expect(annotations).not.toContain("::error");
    expect(await readFile(files.junit, "utf8")).toMatch(/<testsuites[^>]* failures="0"/);
  });

  it("writes a report that later traffic is compared with: only new failures fail", async () => {
    const before = join(folder, "before.json");
    expect(await observeLines([wrongLine], { json: before })).toBe(1);
    expect(await runCompare(before, before)).toBe(0);
    expect(await observeLines([wrongLine], { baseline: before })).toBe(0);
    expect(await observeLines([wrongLine], { baseline: before, coverageThreshold: 99 })).toBe(1);
    expect(await observeLines([rightLine], { json: before })).toBe(0);
    expect(await observeLines([wrongLine], { baseline: before })).toBe(1);
    expect(printed.at(-1)).toMatch(/new failures? compared with/);
  });

  it.each([
    ["a file that does not exist", { har: ["missing.har"] }, "missing.har does not exist"],
    [
      "files and a server",
      { har: ["a.har"], upstream: base },
      "--upstream cannot be combined with --har or --ndjson",
    ],
    [
      "a record that cannot be written",
      { upstream: "http://127.0.0.1:1", record: "missing/traffic.ndjson" },
      "missing/traffic.ndjson cannot be written",
    ],
    [
      "a URL of another protocol",
      { ndjson: ["a"], baseUrl: "ftp://a" },
      "the URL of the server must be an http or https URL",
    ],
    ["--record without a proxy", { ndjson: ["a"], record: "b" }, "--record needs --upstream"],
    ["--all-traffic without the keys", { ndjson: ["a"], allTraffic: true }, "--all-traffic needs --config"],
  ])("rejects %s", async (_, options, error) => {
    await expect(observe(options)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(error),
    });
  });

  it.each([
    ["the start of a line", '{"secret"'],
    ["a status as a text", rightLine.replace(/"status":(\d+)/, '"status":"secret $1"')],
    ["no status", rightLine.replace('"status"', '"secret"')],
    ["another value", '["secret"]'],
  ])("judges the other lines of a record with %s, which is counted and named", async (_, invalid) => {
    expect(await observeLines([wrongLine, invalid, invalid])).toBe(1);
    expect(text()).toMatch(
      /1 exchange with 1 key; 2 ignored: lines .* such as line 2 of \S+a\.ndjson \(2\)\./,
    );
    expect(text()).not.toContain("secret");
    await expect(observeLines([invalid])).rejects.toMatchObject({
      hint: expect.stringMatching(/1 exchange ignored: lines that traffic-line\.schema\.json does not allow/),
      exitCode: 2,
    });
  });

  it("compares nothing across a line that it cannot read: it may have been any request", async () => {
    const [sent, look] = [
      exchange("POST", "/api/v1/emails", { sent: message, ...accepted("m") }),
      exchange("GET", "/api/v1/emails/m", error(404, "not_found")),
    ].map(line);
    expect(await observeLines([sent ?? "", look ?? ""])).toBe(1);
    expect(await observeLines([sent ?? "", "{", look ?? ""])).toBe(0);
  });

  it("counts a body that is nested too deep, and does not compare it", async () => {
    const deep = line({ ...right, responseBody: "[".repeat(4000) + "]".repeat(4000) });
    expect(await observeLines([rightLine, deep])).toBe(0);
    expect(text()).toContain("1 incomplete: the record lacks a readable body (1).");
  });

  it.each([
    ["its headers", {}, "request headers (1), response headers (1), a start (1), a duration (1)"],
    [
      "the time that a request took",
      { startedAt: 1, requestHeaders: { host: "a" }, responseHeaders: { date: "b" }, responseBody: {} },
      "a duration (1)",
    ],
  ])("names what a line lacks, and does not take it for missing: %s", async (_, more, lacking) => {
    const minimal = JSON.stringify({ method: "GET", url: `${base}/api/v1/none`, status: 200, ...more });
    await observeLines([rightLine, minimal]);
    expect(text()).toContain(`1 incomplete: the record lacks ${lacking}`);
  });

  it("judges nothing by headers and bodies that are not recorded", async () => {
    const minimal = { method: "GET", url: `${base}/api/v1/me`, status: 200 };
    const lines = [{}, { responseBody: {} }, { responseHeaders: {} }, { status: 422 }];
    expect(await observeLines(lines.map((more) => JSON.stringify({ ...minimal, ...more })))).toBe(0);
    expect(text()).toContain("4 incomplete");
  });

  it("counts an entry without a response, which is no error of the server", async () => {
    const without = { ...entry(exchange("GET", "/api/v1/me")), response: undefined };
    expect(await observe({ har: [await file("a.har", har(without, entry(right)))] })).toBe(0);
    expect(text()).toContain("2 exchanges with 1 key; 1 without a response of the server.");
  });

  it("says why an archive cannot be read", async () => {
    const archive = join(folder, "a.har.gz");
    await writeFile(archive, gzipSync(har(entry(right))).subarray(0, 100));
    await expect(observe({ har: [archive] })).rejects.toThrow(
      /a\.har\.gz cannot be read: unexpected end of file$/,
    );
  });

  it("hints at no key, and no file of its own", async () => {
    await observeLines([wrongLine]);
    expect(text()).not.toContain("hides a text like the key");
    await expect(observeLines([rightLine], { json: join(folder, "none", "a.json") })).rejects.toMatchObject({
      hint: expect.not.stringContaining(".tmp"),
    });
  });

  it.each([
    ["another server", { baseUrl: "https://other.example.com" }, "https://other.example.com", 1],
    ["other paths only", {}, "/api/v1", 1],
  ])("rejects traffic with %s: it shows nothing", async (name, options, where, ignored) => {
    const one = name === "another server" ? right : { ...right, path: "/health" };
    await expect(observeLines([line(one)], options)).rejects.toMatchObject({
      message: expect.stringContaining(where),
      hint: expect.stringContaining(`${ignored} exchange ignored: other hosts or paths (1).`),
      exitCode: 2,
    });
  });

  it("rejects traffic in which the server never responded", async () => {
    const lines = [0, 502].map((status) => line({ ...right, status }));
    await expect(observeLines(lines)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^none of 2 requests got a response of the server: POST .* \(no response in the traffic, status 502 of a gateway\)$/,
      ),
      exitCode: 2,
    });
  });

  const noArchive = "is not an HTTP archive: it is not JSON, or has no log.entries";
  it.each([
    ["is empty", "", noArchive],
    ["is a text", "hello", noArchive],
    ["is in UTF-16", Buffer.from(har(entry(right)), "utf16le").toString("latin1"), noArchive],
    ["is one line of traffic", line(right), noArchive],
    ["is another object", "{}", noArchive],
    ["has no end", har(entry(right)).slice(0, -1), noArchive],
    ["has no exchange", har({}), "no request below /api/v1"],
    ["has no response", har({ ...entry(right), response: null }), "none of 1 request got a response"],
  ])("rejects an HTTP archive that %s", async (_, archive, error) => {
    await expect(observe({ har: [await file("a.har", archive)] })).rejects.toMatchObject({
      message: expect.stringContaining(error),
      ...(error === noArchive && {
        hint: expect.stringContaining("--ndjson reads one JSON object per line"),
      }),
      exitCode: 2,
    });
  });
});
