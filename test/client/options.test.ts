import { expect, test } from "vitest";
import { reliableFetch } from "../../client/src/fetch.ts";
import { type ClientOptions, connect, createClient, type SendAllResult } from "../../client/src/index.ts";
import {
  accepted,
  failure,
  key,
  message,
  rejection,
  scriptFetch,
  success,
  testClient,
} from "./test-client.ts";

test("an undefined option of a request has the value of the client", async () => {
  const { client, requests, until } = testClient([{ status: 503 }], { attempts: 2, timeout: 60_000 });
  const options = {
    attempts: undefined,
    attemptTimeout: undefined,
    timeout: undefined,
    signal: undefined,
    idempotencyKey: undefined,
  };
  expect(await until(rejection(client.emails.send(message, options)))).toMatchObject({ attempts: 2 });
  expect(requests).toHaveLength(2);
  const slow = testClient([{ hang: true }], { attempts: 1, attemptTimeout: 1000 });
  await slow.until(rejection(slow.client.me(options)));
  expect(slow.elapsed()).toBe(1000);
  const counted = testClient([{ status: 503 }], { attempts: 2 });
  expect(await counted.until(rejection(counted.client.me({ attempts: 3 })))).toMatchObject({ attempts: 3 });
});

test("frequent mistakes in the options have clear messages", () => {
  for (const create of [createClient, connect]) {
    for (const none of [undefined, null])
      expect(() => create(none as unknown as ClientOptions)).toThrow(new TypeError("key is missing"));
    for (const none of ["", undefined, null])
      expect(() => create({ key: none as string, baseUrl: "https://api.example.com" })).toThrow(
        "key is missing",
      );
  }
  const page = globalThis as { document?: unknown };
  page.document = {};
  try {
    expect(() => testClient([])).toThrow("a browser page shows the key: see allowBrowser");
    expect(() => connect({ key, baseUrl: "https://api.example.com" })).toThrow(/see allowBrowser/);
    connect({ key, baseUrl: "https://api.example.com", allowBrowser: true });
  } finally {
    delete page.document;
  }
});

test("the request id is taken from the body if the header is missing", async () => {
  const { status, body } = failure(403, "forbidden") as { status: number; body: string };
  const { client, until } = testClient([{ status, body }]);
  expect(await until(rejection(client.me()))).toMatchObject({ requestId: "req_2" });
});

test("a StateError mentions the time only after a timeout", async () => {
  const messageFor = async (status: string) => {
    const { client, until } = testClient([success({ status, delivered_at: null })]);
    return ((await until(rejection(client.emails.waitFor("1", "delivered")))) as Error).message;
  };
  expect(await messageFor("bounced")).toBe("the message is bounced and was not delivered");
  expect(await messageFor("sent")).toBe("the message is sent and was not delivered in time");
});

const insecure = "baseUrl must start with https://, or http:// with allowInsecureHttp: true";
const noUrl =
  "baseUrl must be a URL such as https://api.example.com, without /api/v1, a query or a user name";
test.for([
  [undefined, `${noUrl} (got undefined)`],
  [null, `${noUrl} (got null)`],
  ["", `${noUrl} (got "")`],
  ["api.example.com", `${noUrl} (got "api.example.com")`],
  ["https://api example", `${noUrl} (got "https://api example")`],
  [7, `${noUrl} (got "7")`],
  ["ftp://api.example.com", `${insecure} (got "ftp://api.example.com")`],
  ["http://sandbox:4020", `${insecure} (got "http://sandbox:4020")`],
  ["http://1271/", `${insecure} (got "http://1271/")`],
  ["http://localhost\t.example.com", `${insecure} (got "http://localhost\\t.example.com")`],
  [" https://api.example.com/api/v1 ", `${noUrl} (got " https://api.example.com/api/v1 ")`],
  ["http://localhost.example.com", `${insecure} (got "http://localhost.example.com")`],
  ["https://api.example.com/api/v1", `${noUrl} (got "https://api.example.com/api/v1")`],
  [
    new URL("https://api.example.com/mail/api/v1//"),
    `${noUrl} (got "https://api.example.com/mail/api/v1//")`,
  ],
  [`https://api.example.com/?key=${key}`, `${noUrl} (got "https://api.example.com/?key=***")`],
  ["https://api.example.com/#x", `${noUrl} (got "https://api.example.com/#x")`],
  ["https://name:word@api.example.com", `${noUrl} (got "***@api.example.com")`],
  ["http://localhost:4020@elsewhere.example", `${noUrl} (got "***@elsewhere.example")`],
  ["https://ada:se@cret@a.example", `${noUrl} (got "***@a.example")`],
  ["https:ada:se/cret@a.example", `${noUrl} (got "***@a.example")`],
  ["https://ada:se\ncret@a.example", `${noUrl} (got "***@a.example")`],
  [new URL("https://ada:secret@a.example"), `${noUrl} (got "***@a.example/")`],
  [`https://${key}@api.example.com`, `${noUrl} (got "***@api.example.com")`],
] as const)("the base URL %s is rejected: %s", ([baseUrl, message]) => {
  for (const create of [createClient, connect])
    expect(() => create({ key, baseUrl: baseUrl as string })).toThrow(new TypeError(message));
});

test("https, this machine, and with allowInsecureHttp any host are valid base URLs", async () => {
  const urlOf = async (options: Partial<ClientOptions>) => {
    const { client, requests, until } = testClient([success({})], options);
    await until(client.me());
    connect({ key, baseUrl: "", ...options });
    return requests[0]?.url;
  };
  for (const host of ["localhost:4020", "LOCALHOST", "127.0.0.1", "127.1.2.3:8080", "[::1]", "[::1]:4020"])
    for (const end of ["", "/", "//", "/mail", "/mail/"])
      expect(await urlOf({ baseUrl: `http://${host}${end}` })).toBe(
        `http://${host.toLowerCase()}${end.startsWith("/mail") ? "/mail" : ""}/api/v1/me`,
      );
  expect(await urlOf({ baseUrl: new URL("https://api.example.com") })).toBe(
    "https://api.example.com/api/v1/me",
  );
  // As a line of a file may have them.
  expect(await urlOf({ baseUrl: " https://api.example.com/\n" })).toBe("https://api.example.com/api/v1/me");
  for (const baseUrl of ["http://sandbox:4020", "http://10.0.0.7", new URL("http://sandbox:4020/")])
    expect(await urlOf({ baseUrl, allowInsecureHttp: true })).toMatch(
      /^http:\/\/(sandbox:4020|10.0.0.7)\/api/,
    );
  for (const baseUrl of ["ftp://sandbox", "localhost:4101"])
    for (const create of [createClient, connect])
      expect(() => create({ key, baseUrl, allowInsecureHttp: true })).toThrow(
        new TypeError(`${insecure} (got "${baseUrl}")`),
      );
});

test("reliableFetch applies the same rules", async () => {
  const { fetch, requests } = scriptFetch(success({}));
  const url = "http://sandbox:4020/api/v1/me";
  const message = `${insecure.replace("baseUrl", "the URL")} (got "${url}")`;
  expect(await rejection(reliableFetch({ key, fetch })(url))).toEqual(new TypeError(message));
  expect(requests).toHaveLength(0);
  for (const local of ["http://[::1]:4020/api/v1/me", "http://127.9.9.9/api/v1/me"])
    expect((await reliableFetch({ key, fetch })(local)).status).toBe(200);
  expect((await reliableFetch({ key, fetch, allowInsecureHttp: true })(url)).status).toBe(200);
  expect(() => reliableFetch(null as unknown as undefined)).not.toThrow();
  expect(() => reliableFetch({ key, timeout: 0 })).toThrow(/^timeout must be above 0/);
});

test("numbers of the client, of a request and of waitFor must be above 0", async () => {
  const { client, until, options, requests } = testClient([success({})]);
  for (const name of ["attempts", "attemptTimeout", "timeout"])
    for (const value of [0, -1, Number.NaN, null, "soon"]) {
      const shown = typeof value === "number" ? value : JSON.stringify(value);
      const wrong = new TypeError(`${name} must be above 0, or Infinity for no limit (got ${shown})`);
      const more = { [name]: value } as Partial<ClientOptions>;
      for (const create of [createClient, connect])
        expect(() => create({ ...options, ...more })).toThrow(wrong);
      if (value !== null) expect(await until(rejection(client.me(more)))).toEqual(wrong);
    }
  for (const more of [{ timeout: 0 }, { interval: 0 }, { interval: Number.NaN }])
    expect(await until(rejection(client.emails.waitFor("1", "sent", more)))).toMatchObject({
      message: expect.stringMatching(/^(timeout|interval) must be above 0/),
    });
  expect(requests).toHaveLength(0);
});

test("no message shows the key or a regular expression", async () => {
  const messages: string[] = [];
  const thrown = (act: () => unknown) => {
    try {
      act();
    } catch (error) {
      messages.push((error as Error).message);
    }
  };
  const baseUrl = "https://api.example.com";
  for (const wrong of [`${key}\n`, `"${key}"`, `${key} `, `ä${key}`, baseUrl])
    thrown(() => createClient({ key: wrong, baseUrl: wrong === baseUrl ? key : baseUrl }));
  thrown(() => createClient({ key, baseUrl: key }));
  const { client, until } = testClient([success(accepted)]);
  const { sendAll } = client.emails.batch;
  for (const send of [
    () => client.emails.send(message, { idempotencyKey: "ä" }),
    () => sendAll([message], { idempotencyKey: "" }),
    () => sendAll([message], { resume: {} as SendAllResult }),
    () => sendAll([message], { resume: { results: [{}] } as SendAllResult }),
    () => sendAll([message], { resume: { results: [{}], parts: [null] } as unknown as SendAllResult }),
    () => sendAll({ resume: {} } as unknown as []),
    () => sendAll([message], { timeout: 0 }),
  ])
    messages.push(((await until(rejection(send()))) as Error).message);
  expect(messages).toEqual([
    ...Array(5).fill("key must be an API key, without spaces and quotes"),
    `${noUrl} (got "***")`,
    'idempotencyKey must be 1 to 256 ASCII characters, without spaces at its ends (got "ä")',
    'idempotencyKey must be 1 to 256 ASCII characters, without spaces at its ends (got "")',
    "resume must be a result of sendAll with these 1 messages (got {})",
    'resume must be a result of sendAll with these 1 messages (got {"results":1})',
    'resume must be a result of sendAll with these 1 messages (got {"results":1,"parts":1})',
    'messages must be an array (got {"resume":{}})',
    "timeout must be above 0, or Infinity for no limit (got 0)",
  ]);
});

test("an invalid key or idempotency key is rejected before anything is sent", async () => {
  const { client, requests, until, options } = testClient([success(accepted)]);
  for (const bad of ["", " ", "a b", "ä", undefined, null])
    expect(() => createClient({ ...options, key: bad as string })).toThrow(TypeError);
  for (const idempotencyKey of ["", "x".repeat(257), "ä", "a\nb", " a", "a ", " "])
    expect(await until(rejection(client.emails.send(message, { idempotencyKey })))).toBeInstanceOf(TypeError);
  expect(requests).toHaveLength(0);
  await until(client.emails.send(message, { idempotencyKey: "x".repeat(256) }));
  expect(requests[0]?.headers["idempotency-key"]).toHaveLength(256);
});
