import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Observer } from "../../contract/observe/observer.ts";
import { jsonText } from "../../contract/report/json.ts";
import { maskedTexts } from "../../contract/report/mask.ts";
import { recordTo } from "../../scripts/observe/observe-upstream.ts";
import { resultOf } from "../../scripts/observe/run-command.ts";
import { Traffic, type TrafficExchange } from "../../scripts/observe/traffic.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const secret = "qzxv/K3y.0123456789";
const failing = {
  startedAt: 0,
  milliseconds: 1,
  method: "GET",
  url: "https://api.example.com/api/v1/me",
  requestHeaders: {},
  requestBody: undefined,
  status: 200,
  responseHeaders: { "content-type": "application/json" },
  responseBody: "[]",
};

const twoCookies = `a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/, sid=${secret}; HttpOnly`;
type Change = Partial<TrafficExchange>;
const withHeader = (name: string, value: string): Change => ({ requestHeaders: { [name]: value } });

const dashed = secret.replaceAll(/[/.]/g, "-");
const carriers: [string, Change][] = [
  ["a bearer token", withHeader("authorization", `Bearer ${secret}`)],
  ["a parameter of a scheme", withHeader("authorization", `Token token="${secret}", realm="x"`)],
  ["a scheme with a hyphen", withHeader("authorization", `Api-Key ${secret}`)],
  ["no scheme", withHeader("authorization", secret)],
  ["Basic", withHeader("authorization", `Basic ${Buffer.from(`ada:${secret}`).toString("base64")}`)],
  ...[
    "x-forwarded-authorization",
    "x-auth-key",
    "x-session-id",
    "x-goog-iap-jwt",
    "x-api-key",
    "x-vendor",
    "x-acme-pass",
    "x-access",
    "x-amzn-oidc-data",
    "x-csrf",
    "dpop",
  ].map((name): [string, Change] => [name, withHeader(name, dashed)]),
  ...[
    `tenant 42 ${dashed}`,
    `{"user":"ada","token":"${dashed}"}`,
    encodeURIComponent(`{"token":"${dashed}"}`),
  ].flatMap((value): [string, Change][] => [
    [`x-vendor: ${value}`, withHeader("x-vendor", value)],
    [`x-auth: ${value}`, withHeader("x-auth", value)],
    [`x-reply: ${value}`, { responseHeaders: { "x-reply": value } }],
    [`?state=${value}`, { url: `${failing.url}?state=${encodeURIComponent(value)}` }],
  ]),
  [
    "the key of a signature",
    withHeader("authorization", `AWS4-HMAC-SHA256 Credential=${dashed}/20260101/eu/s3`),
  ],
  ["a parameter of a path", { url: `${failing.url};jsessionid=${dashed}/a?b=1` }],
  ["a cookie", withHeader("cookie", `theme=dark; sid=${secret}`)],
  ["a new cookie", { responseHeaders: { "set-cookie": `sid=${secret}; Path=/; HttpOnly` } }],
  ...["sig", "code", "access_token", "api_key", "key", "state", "foo"].map((name): [string, Change] => [
    `?${name}=`,
    { url: `${failing.url}?${name}=${dashed}&limit=5` },
  ]),
  ["the second of new cookies", { responseHeaders: { "set-cookie": twoCookies } }],
  ["a token as the user of a Referer", withHeader("referer", `https://${dashed}@a.example/`)],
  ["a password in a Referer", withHeader("referer", `https://ada:${dashed}@a.example/`)],
  ...["sig", "state", "foo"].map((name): [string, Change] => [
    `?${name}= in a Referer`,
    withHeader("referer", `https://a.example/?${name}=${dashed}`),
  ]),
  ["a password in the URL", { url: `https://ada:${encodeURIComponent(secret)}@api.example.com/api/v1/me` }],
];

const escapedForms = (text: string): string[] => [
  text,
  JSON.stringify(JSON.stringify(text)),
  text.replaceAll("/", "\\/"),
  text.replaceAll(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
  encodeURIComponent(encodeURIComponent(text)),
  text.replaceAll(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`),
  text.replaceAll(/[^\w]/g, (one) => `&#${one.charCodeAt(0)};`),
  text.replaceAll(/./g, (one) => `&#x${one.charCodeAt(0).toString(16).toUpperCase()};`),
  Buffer.from(`a${text}`).toString("base64"),
];

/** Whether a text has the secret, or most of it, however it is written. */
function hasSecret(text: string): boolean {
  const unescaped = [
    text,
    text.replaceAll(/\\+u00(..)/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    text.replaceAll(/%(?:25)*(..)/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    text.replaceAll(/&#x(..);/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
    text.replaceAll(/[\w+/]{24,}/g, (one) => Buffer.from(one, "base64").toString()),
  ];
  return unescaped.some((one) => /qzxv|0123456789/i.test(one));
}

async function recordOf(exchanges: readonly TrafficExchange[]): Promise<string> {
  const file = join(temporaryFolder(), "traffic.ndjson");
  const recording = await recordTo(file);
  for (const one of exchanges) recording.write(one);
  await recording.close();
  return readFile(file, "utf8");
}

function reportOf(exchanges: readonly TrafficExchange[]): string {
  const observer = new Observer();
  const traffic = new Traffic(observer);
  for (const one of exchanges) traffic.add(one);
  observer.end();
  const result = resultOf(observer, traffic, { showBodies: true }, { expected: [] });
  expect(result.counts.fail).toBeGreaterThan(0);
  // The id is drawn at random: it could have a part of the secret.
  return jsonText({ ...result, runId: "run" });
}

describe("a credential is masked wherever it stands, in records and in reports with bodies", () => {
  it.each(carriers)("%s", async (name, change) => {
    const own = /x-|dpop|\?|Referer|signature|path/.test(name) ? dashed : secret;
    // Other exchanges have it too, also before it is known to be one, in bodies and harmless headers.
    const echo = {
      ...failing,
      responseBody: JSON.stringify([escapedForms(own)]),
      responseHeaders: { ...failing.responseHeaders, etag: own },
    };
    const exchanges = [echo, { ...failing, ...change }, echo];
    expect((await recordOf(exchanges)).split("\n").filter(hasSecret)).toEqual([]);
    expect(reportOf(exchanges).split("\n").filter(hasSecret)).toEqual([]);
  });
});

describe("what is known to be harmless is kept", () => {
  it("headers and parameters of the document, ids of requests, and nothing else", async () => {
    const id = "req_0123456789abcdef";
    const text = await recordOf([
      {
        ...failing,
        url: "https://api.example.com/api/v1/newsletter/contacts?limit=5&cursor=abc&debug=1#x",
        requestHeaders: { "idempotency-key": "k-1", accept: "*/*", "x-color": "red", "x-trace": id },
        responseHeaders: { "x-service-request-id": id, "retry-after": "5", "x-powered-by": "y" },
        responseBody: `{"code":12345}`,
      },
    ]);
    expect(JSON.parse(text)).toMatchObject({
      url: "https://api.example.com/api/v1/newsletter/contacts?limit=5&cursor=abc&debug=***",
      requestHeaders: { "idempotency-key": "k-1", accept: "*/*" },
      responseHeaders: { "x-service-request-id": id, "retry-after": "5" },
      responseBody: `{"code":12345}`,
    });
    expect(text).not.toMatch(/red"|x-powered-by/);
  });

  it("what any text can have, in a header that nobody knows", async () => {
    const values = ["newsletter", "application/json", "2026-11-27", "ada@a.example", "/api/v1/emails"];
    const exchanges = values.map((value) => ({ ...failing, ...withHeader("x-about", value) }));
    const responseBody = JSON.stringify(values);
    const lines = (await recordOf([...exchanges, { ...failing, responseBody }])).trim().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ url: failing.url, responseBody });
  });

  it("numbers of up to five digits: longer ones may be codes", () => {
    expect(maskedTexts(["found 12345", "found 123456"])).toEqual(["found 12345", "found ***"]);
    expect(maskedTexts(["write 2026-11-27T20:26:15.100Z"])).toEqual(["write 2026-11-27T20:26:15.100Z"]);
  });
});

const codes = {
  text: "Code:\n483920, G-483920.",
  number: 483920,
  id: "483920",
  list_id: 483920,
  email: "483920@a.example",
  sent_at: "2026-11-27T10:00:00.483920Z",
};

it("a record has other numbers in place of those of six digits, each always the same", async () => {
  const url = "https://api.example.com/api/v1/emails/483920";
  const line = JSON.parse(await recordOf([{ ...failing, url, responseBody: JSON.stringify(codes) }]));
  const found = JSON.parse(line.responseBody);
  const number = found.number;
  expect(number).not.toBe(codes.number);
  expect(found).toEqual({ ...codes, text: `Code:\n${number}, G-${number}.`, number, id: String(number) });
  expect(line.url).toBe(`https://api.example.com/api/v1/emails/${number}`);
});

it("a record with --show-bodies has the numbers of six digits", async () => {
  const responseBody = JSON.stringify(codes);
  const file = join(temporaryFolder(), "traffic.ndjson");
  const recording = await recordTo(file, {}, true);
  recording.write({ ...failing, responseBody });
  await recording.close();
  expect(JSON.parse(await readFile(file, "utf8")).responseBody).toBe(responseBody);
});

it("a credential that is the name of a property, or a time, leaves a record that can be read", async () => {
  const exchanges = ["responseBody", "startedAt", "1700000000"].map((key) => ({
    ...failing,
    ...withHeader("x-api-key", key),
  }));
  const text = await recordOf([{ ...failing, startedAt: 1_700_000_000_000 }, ...exchanges]);
  for (const line of text.trim().split("\n"))
    expect(JSON.parse(line)).toMatchObject({ startedAt: expect.any(Number), responseBody: "[]" });
});

it("the scheme of a key stays, so that another scheme than Bearer is none when the record is read", async () => {
  const text = await recordOf([{ ...failing, ...withHeader("authorization", `Token ${secret}`) }]);
  expect(text).toMatch(/"authorization":"Token key-/);
});

it("a credential is still masked after a thousand others", async () => {
  const others = Array.from({ length: 1000 }, (_, index) => ({
    ...failing,
    responseHeaders: { "set-cookie": `sid=rotating-session-${index}-abcdef; Path=/` },
  }));
  const echo = { ...failing, responseBody: secret };
  const text = await recordOf([echo, { ...failing, ...withHeader("x-api-key", secret) }, ...others, echo]);
  expect(text.split("\n").filter(hasSecret)).toEqual([]);
});
