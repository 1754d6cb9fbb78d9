import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Observer } from "../../contract/observe/observer.ts";
import { readHar } from "../../scripts/observe/read-har.ts";
import { openArchive } from "../../scripts/observe/read-traffic.ts";
import { runObserveCommand } from "../../scripts/observe/run-command.ts";
import { Traffic } from "../../scripts/observe/traffic.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { accepted, base, entry, error, exchange, failuresOf, har, message, right, wrong } from "./samples.ts";

type Entry = ReturnType<typeof entry>;
type Change = (one: Entry) => object;

/** An entry whose response has another content. */
const withContent =
  (content: object | undefined, more: object = {}): Change =>
  (one) => ({ ...one, response: { ...one.response, content, ...more } });

const text = right.responseBody;
const json = { mimeType: "application/json" };
const ofLength = (length: number) => [
  ...entry(right).response.headers,
  { name: "Content-Length", value: String(length) },
];

/** What an observer finds in an archive. */
function observedIn(archive: string) {
  const observer = new Observer();
  const traffic = new Traffic(observer);
  for (const one of readHar(archive, "a.har")) traffic.add(one);
  observer.end();
  const { exchanges, incomplete, unanswered } = observer.counts;
  const ignored = Object.fromEntries(traffic.ignoredAs);
  const lost = observer.attempts.unanswered().length;
  return { failures: failuresOf(observer), exchanges, incomplete, unanswered, lost, ignored };
}

const whole = { failures: [], exchanges: 1, incomplete: 0, unanswered: 0, lost: 0, ignored: {} };

describe("an unknown body is not an empty one", () => {
  it.each<[title: string, change: Change]>([
    ["content without text", withContent({ size: text.length, ...json })],
    ["a file that is not there", withContent({ size: -1, ...json, _file: "a.json" })],
    [
      "a size of zero beside a content-length",
      withContent({ size: 0, ...json }, { bodySize: -1, headers: ofLength(59) }),
    ],
    [
      "an empty text beside a content-length",
      withContent({ size: 0, ...json, text: "" }, { headers: ofLength(59) }),
    ],
    ["a size of zero that may mean nothing", withContent({ size: 0, ...json }, { bodySize: -1 })],
    ["no content", withContent(undefined)],
    ["the start of a text", withContent({ size: text.length, ...json, text: text.slice(0, 20) })],
    ["a text of unknown length that is no JSON", withContent({ size: -1, ...json, text: text.slice(0, 20) })],
    [
      "no body of the request",
      (one) => ({ ...one, request: { ...one.request, postData: undefined, bodySize: 94 } }),
    ],
    [
      "the parameters of a request",
      (one) => ({ ...one, request: { ...one.request, postData: { params: [] } } }),
    ],
  ])("%s", (_, change) => {
    expect(observedIn(har(change(entry(right))))).toEqual({ ...whole, incomplete: 1 });
  });

  it.each<[title: string, change: Change]>([
    ["both sizes are zero", withContent({ size: 0, ...json }, { bodySize: 0 })],
    ["the length is zero", withContent({ size: 0, ...json }, { headers: ofLength(0) })],
  ])("but a body is empty if %s", (_, change) => {
    expect(observedIn(har(change(entry(right)))).failures).not.toEqual([]);
  });
});

describe("unknown headers are not missing ones", () => {
  const without = (part: "request" | "response", headers: unknown) => {
    const one = entry(part === "request" ? right : wrong);
    return { ...one, [part]: { ...one[part], headers } };
  };

  it.each([[null], [undefined], [[]]])("headers %j of a response", (headers) => {
    expect(observedIn(har(without("response", headers)))).toEqual({ ...whole, incomplete: 1 });
  });

  it.each([[null], [undefined], [[]]])("headers %j of a request", (headers) => {
    const found = observedIn(har(entry(right), without("request", headers)));
    expect(found).toEqual({ ...whole, exchanges: 2, incomplete: 1 });
  });

  it("what a request without headers changed is not known", () => {
    const [send, removal, look] = [
      exchange("POST", "/api/v1/emails", { sent: message, ...accepted("m") }),
      exchange("DELETE", "/api/v1/emails/m", error(404, "not_found")),
      exchange("GET", "/api/v1/emails/m", error(404, "not_found")),
    ].map((one, index) => entry({ ...one, startedAt: 1_795_521_600_125 + 10_000 * index }));
    expect(observedIn(har({ ...send }, { ...look })).failures).not.toEqual([]);
    const unknown = { ...removal, request: { ...removal?.request, headers: [] } };
    expect(observedIn(har({ ...send }, unknown, { ...look })).failures).toEqual([]);
  });
});

describe("forms of a whole body and of its message", () => {
  const get = exchange("GET", "/api/v1/newsletter/lists", { received: { lists: [] } });
  it.each<[title: string, change: Change]>([
    [
      "plain text beside base64 (Firefox)",
      withContent({ size: text.length, ...json, encoding: "base64", text }),
    ],
    [
      "compressed sizes (mitmproxy)",
      withContent({ size: 900, compression: -800, ...json, text }, { bodySize: 900 }),
    ],
    ["a size of -1", withContent({ size: -1, ...json, text })],
    ["a lower-case method", (one) => ({ ...one, request: { ...one.request, method: "post" } })],
    [
      "headers as an object",
      (one) => ({
        ...one,
        request: { ...one.request, headers: right.requestHeaders },
        response: { ...one.response, headers: { ...right.responseHeaders, via: ["1.1 a", "1.1 b"] } },
      }),
    ],
  ])("%s", (_, change) => {
    expect(observedIn(har(change(entry(right))))).toEqual(whole);
    // The same fault is found as in any other form.
    expect(observedIn(har(change(entry(wrong)))).failures).not.toEqual([]);
  });

  it("an empty postData of a GET", () => {
    const { request, ...one } = entry(get);
    const empty = { ...one, request: { ...request, bodySize: -1, postData: { mimeType: "", text: "" } } };
    expect(observedIn(har(empty))).toEqual(whole);
  });

  it("the usual port, and hosts in any case, are one server", () => {
    const urls = [base, "https://API.example.com:443/email", "HTTPS://api.example.COM/email"];
    expect(observedIn(har(...urls.map((url) => entry(get, url)))).exchanges).toBe(3);
    expect(observedIn(har(entry(get), entry(get, "https://api.example.com:80/email")))).toMatchObject({
      exchanges: 1,
      ignored: { "other hosts or paths": 1 },
    });
  });
});

describe("entries that are no exchange with the server are counted", () => {
  const lists = entry(exchange("GET", "/api/v1/newsletter/lists", { received: { lists: "wrong" } }));
  const timings = { blocked: 0, dns: 0, send: 0, wait: 0, receive: 0 };
  const canceled = (reason: object) => ({ ...lists, response: { status: 0, ...reason } });
  it.each<[title: string, one: object, found: object]>([
    ["Chrome's cache", { ...lists, _fromCache: "disk" }, { ignored: { "from a cache": 1 } }],
    ["Safari's cache", { ...lists, _fetchType: "Memory Cache" }, { ignored: { "from a cache": 1 } }],
    ["Firefox's cache", { ...lists, time: 0, timings }, { ignored: { "from a cache": 1 } }],
    ["no request", { ...lists, request: null }, { ignored: { "without a request": 1 } }],
    ["no response", { ...lists, response: undefined }, { exchanges: 2, unanswered: 1 }],
    ["given up in Chrome", canceled({ _error: "net::ERR_ABORTED" }), { exchanges: 2, unanswered: 1 }],
    [
      "given up in Playwright",
      canceled({ _failureText: "net::ERR_ABORTED" }),
      { exchanges: 2, unanswered: 1 },
    ],
  ])("%s", (_, one, found) => {
    const { log } = JSON.parse(har(entry(right), one));
    const archive = JSON.stringify({ log: { ...log, creator: { name: "Firefox" } } });
    expect(observedIn(archive)).toEqual({ ...whole, ...found });
  });

  it.each([
    ["bytes of headers", { headersSize: 200, bodySize: -1 }],
    ["more bytes than its content", { headersSize: -1, bodySize: 1000 }],
  ])("a response of which Firefox received %s is not from a cache, however short", (_, sizes) => {
    const received = { ...lists, time: 0, timings, response: { ...lists.response, ...sizes } };
    const { log } = JSON.parse(har(entry(right), received));
    const archive = JSON.stringify({ log: { ...log, creator: { name: "Firefox" } } });
    expect(observedIn(archive)).toMatchObject({ exchanges: 2, ignored: {} });
    expect(observedIn(archive).failures).not.toEqual([]);
  });

  it("a POST that took no time is not from a cache, nor is any request of another browser", () => {
    const post = { ...entry(wrong), time: 0, timings };
    const { log } = JSON.parse(har(entry(right), post));
    const archive = JSON.stringify({ log: { ...log, creator: { name: "Firefox" } } });
    expect(observedIn(archive).failures).not.toEqual([]);
    expect(observedIn(har({ ...lists, time: 0, timings })).failures).not.toEqual([]);
  });
});

describe("compressed archives", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const named = (one: Entry, _file: string) => withContent({ size: -1, ...json, _file })(one);
  const zip = zipSync({
    "har.har": strToU8(har(named(entry(right), "a.json"), named(entry(wrong), "b.json"))),
    "a.json": strToU8(right.responseBody),
    "b.json": strToU8(wrong.responseBody),
  });

  it.each([
    ["a.har.gz", gzipSync(har(entry(right), entry(wrong)))],
    ["a.har.zip", zip],
  ])("%s", async (name, bytes) => {
    const printed: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line: string) => printed.push(line));
    const file = join(temporaryFolder(), name);
    writeFileSync(file, bytes);
    expect(await runObserveCommand({ port: 0, host: "127.0.0.1", har: [file] })).toBe(1);
    expect(printed.join("\n")).toContain("2 exchanges with 1 key.");
  });

  it("a ZIP archive without an HTTP archive is rejected, and one that is cut", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.zip"), zipSync({ "a.txt": strToU8("a") }));
    writeFileSync(join(folder, "b.zip"), zip.slice(0, 100));
    await expect(openArchive(join(folder, "a.zip"))).rejects.toThrow("has no HTTP archive");
    await expect(
      runObserveCommand({ port: 0, host: "127.0.0.1", har: [join(folder, "b.zip")] }),
    ).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining("b.zip cannot be read") });
  });
});
