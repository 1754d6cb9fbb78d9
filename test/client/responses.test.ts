import { inspect } from "node:util";
import { expect, test } from "vitest";
import {
  ApiError,
  connect,
  createClient,
  fieldsByMessage,
  hooks,
  isErrorOf,
} from "../../client/src/index.ts";
import { answer, failure } from "./scripted-fetch.ts";
import { accepted, key, message, rejection, rig } from "./test-client.ts";

test("an answer is its data alone; withResponse adds what came with it", async () => {
  const headers = {
    "X-Service-Monthly-Quota": "10000",
    "X-Service-Monthly-Remaining": "0",
    "Idempotent-Replayed": "true",
  };
  const { client, until } = rig([{ status: 503 }, answer(accepted, headers, 202)]);
  const { idempotencyKey, ...rest } = await until(client.emails.send(message).withResponse());
  expect(rest).toEqual({
    data: accepted,
    method: "POST",
    url: "https://api.example.com/api/v1/emails",
    status: 202,
    requestId: "req_1",
    quota: { limit: 10_000, remaining: 0 },
    rateLimit: { limit: 120, remaining: 119 },
    replayed: true,
    attempts: 2,
  });
  expect(idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
});

test("what an answer does not say is null", async () => {
  const { client, until } = rig([{ status: 200, body: "{}" }]);
  const { quota, rateLimit, replayed, requestId, idempotencyKey } = await until(client.me().withResponse());
  const nothing = { limit: null, remaining: null };
  expect({ quota, rateLimit, replayed, requestId, idempotencyKey }).toEqual({
    quota: nothing,
    rateLimit: nothing,
    replayed: false,
    requestId: null,
    idempotencyKey: undefined,
  });
});

test("unknown fields, types and states pass through, and times stay as they are", async () => {
  const record = {
    id: "1",
    status: "sent",
    sent_at: "2027-01-31T09:00:00Z",
    news: { a: 1 },
    events: [{ type: "opened" }],
  };
  const { client, until } = rig([answer(record)]);
  expect(await until(client.emails.get("1"))).toEqual(record);
});

test("an error tells all that the answer says", async () => {
  const fields = {
    "emails.3.to": ["is empty"],
    "emails.3.subject": ["is too long"],
    "emails.12.from": ["has a name"],
  };
  const { client, until } = rig([failure(422, "invalid_request", {}, { fields })]);
  const error = await until(rejection(client.emails.batch.send([message])));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    message: "422 invalid_request: It did not work.",
    status: 422,
    type: "invalid_request",
    fields,
    requestId: "req_2",
    retryAfter: null,
    attempts: 1,
  });
  expect(fieldsByMessage(error as ApiError)).toEqual(
    new Map([
      [3, { to: ["is empty"], subject: ["is too long"] }],
      [12, { from: ["has a name"] }],
    ]),
  );
});

test.for([
  ["an empty body", { status: 202 }],
  ["no content", { status: 204 }],
  ["HTML", { status: 200, body: "<html>Welcome to this hotel</html>" }],
  ["half of a body", { status: 202, body: '{"id":"01J' }],
  ["a text in JSON", { status: 202, body: '"ok"' }],
  ["null", { status: 202, body: "null" }],
  ["eleven megabytes", { status: 202, body: JSON.stringify({ id: "x".repeat(11e6) }) }],
  ["a redirection", { status: 302, headers: { Location: "https://elsewhere.example/" } }],
] as const)("%s is no success", async ([, step]) => {
  const { client, until, made } = rig([step]);
  const error = await until(rejection(client.emails.send(message)));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: step.status, type: null, fields: null, attempts: 1 });
  expect((error as Error).message).toBe(`${step.status}: no readable body`);
  expect((error as ApiError).idempotencyKey).toBe(made[0]?.headers["idempotency-key"]);
});

test("errors that are no objects of texts do no harm", async () => {
  for (const body of ['{"error":null}', '{"error":"x"}', "[]", '{"error":{"type":7,"fields":3}}']) {
    const { client, until } = rig([{ status: 422, body }]);
    expect(await until(rejection(client.me()))).toMatchObject({ name: "ApiError", status: 422 });
  }
});

test("a guard narrows to what an operation can answer", async () => {
  const known = rig([failure(409, "not_cancellable")]);
  const error = await known.until(rejection(known.client.emails.cancel("sched_1")));
  expect(isErrorOf(error, "cancelEmail")).toBe(true);
  expect(isErrorOf(error, "rescheduleEmail")).toBe(false);
  const news = rig([failure(409, "something_new")]);
  expect(isErrorOf(await news.until(rejection(news.client.emails.cancel("sched_1"))), "cancelEmail")).toBe(
    false,
  );
  const broken = rig([{ status: 502, body: "<html>" }], { attempts: 1 });
  expect(isErrorOf(await broken.until(rejection(broken.client.me())), "getMe")).toBe(true);
  expect(isErrorOf(new Error("other"), "getMe")).toBe(false);
});

test("nothing shows the key", async () => {
  const leaky = () => Promise.reject(Object.assign(new Error(`sent Bearer ${key}`), { config: { key } }));
  const { client, options } = rig([]);
  const shown: unknown[] = [client, connect(options)];
  const events: unknown[] = [];
  for (const step of [
    failure(401, "unauthorized", {}, { message: `No key ${key}` }),
    { status: 500, body: key },
  ]) {
    const { client: other, until } = rig([step], { onEvent: (event) => events.push(event) });
    shown.push(await until(rejection(other.emails.send(message))));
  }
  const { client: other, until } = rig([], { fetch: leaky });
  shown.push(await until(rejection(other.emails.send(message))));
  for (const thing of [...shown, ...events]) {
    const texts = [
      inspect(thing, { depth: 9, showHidden: true }),
      JSON.stringify(thing),
      String(thing),
      (thing as Error).stack,
    ];
    expect(texts.join("\n")).not.toContain(key);
  }
  expect(() => createClient({ ...options, key: `${key}\n` })).toThrow(/^(?!.*sk_test)/);
});

test("a key, an address or an idempotency key that cannot be used is refused before anything is sent", async () => {
  const { client, made, until, options } = rig([answer(accepted)]);
  for (const bad of ["", " ", "a b", "ä", undefined, null])
    expect(() => createClient({ ...options, key: bad as string })).toThrow(TypeError);
  for (const baseUrl of [
    "",
    "api.example.com",
    "http://api.example.com",
    "http://localhost.example.com",
    "ftp://x",
  ])
    expect(() => createClient({ ...options, baseUrl })).toThrow(TypeError);
  for (const baseUrl of ["http://localhost:4020", "http://127.0.0.1", "https://api.example.com/mail/"])
    createClient({ ...options, baseUrl });
  for (const idempotencyKey of ["", "x".repeat(257), "ä", "a\nb", " a"])
    expect(await until(rejection(client.emails.send(message, { idempotencyKey })))).toBeInstanceOf(TypeError);
  expect(made).toHaveLength(0);
  await until(client.emails.send(message, { idempotencyKey: "x".repeat(256) }));
  expect(made[0]?.headers["idempotency-key"]).toHaveLength(256);
});

test("parts of a path are encoded, and what leads elsewhere is refused", async () => {
  const { client, made, until } = rig([answer({})], { baseUrl: "https://api.example.com/mail/" });
  for (const part of ["", ".", "..", "a/b", "../me", "a\\b", undefined, null])
    expect(await until(rejection(client.emails.get(part as string)))).toBeInstanceOf(TypeError);
  expect(made).toHaveLength(0);
  await until(client.newsletter.contacts.get("ada+news&x?y#z%@example.com"));
  await until(client.newsletter.contacts.unsubscribe("$&@example.com", { list_id: 7 }));
  expect(made.map(({ url }) => url)).toEqual([
    "https://api.example.com/mail/api/v1/newsletter/contacts/ada%2Bnews%26x%3Fy%23z%25%40example.com",
    "https://api.example.com/mail/api/v1/newsletter/contacts/%24%26%40example.com/unsubscribe",
  ]);
});

test("a browser page is refused, unless told otherwise", () => {
  const page = globalThis as { document?: unknown };
  page.document = {};
  try {
    expect(() => rig([])).toThrow(/allowBrowser/);
    rig([], { allowBrowser: true });
  } finally {
    delete page.document;
  }
});

test("hooks are told of attempts, answers and pauses, and change nothing by what they throw", async () => {
  const told: unknown[] = [];
  const { client, until, made } = rig([{ status: 503 }, answer(accepted, {}, 202)], {
    onEvent: hooks(
      () => {
        throw new Error("a broken log");
      },
      (event) => {
        if (event.type === "attempt") event.headers.traceparent = `00-1-${event.attempts}`;
        told.push([event.type, event.attempts, event.type === "result" ? event.response?.status : undefined]);
      },
    ),
  });
  expect(await until(client.emails.send(message))).toEqual(accepted);
  expect(told).toEqual([
    ["attempt", 1, undefined],
    ["result", 1, 503],
    ["pause", 1, undefined],
    ["attempt", 2, undefined],
    ["result", 2, 202],
  ]);
  expect(made.map(({ headers }) => headers.traceparent)).toEqual(["00-1-1", "00-1-2"]);
});

test("each operation asks what the contract says", async () => {
  const { client, made, until } = rig([answer({ data: [] })]);
  await until(client.emails.reschedule("sched_1", { scheduled_at: "2027-02-01T09:00:00Z" }));
  await until(client.emails.batch.send([message]));
  await until(client.newsletter.fields());
  await until(client.newsletter.contacts.upsert({ email: "ada@example.com", list_id: 7 }));
  await until(client.newsletter.contacts.unsubscribe("ada@example.com"));
  const path = (url: string) => url.replace("https://api.example.com/api/v1", "");
  expect(
    made.map(({ method, url, body, headers }) => [method, path(url), body, "idempotency-key" in headers]),
  ).toEqual([
    ["PATCH", "/emails/sched_1", '{"scheduled_at":"2027-02-01T09:00:00Z"}', false],
    ["POST", "/emails/batch", JSON.stringify({ emails: [message] }), true],
    ["GET", "/newsletter/fields", undefined, false],
    ["POST", "/newsletter/contacts", '{"email":"ada@example.com","list_id":7}', true],
    ["POST", "/newsletter/contacts/ada%40example.com/unsubscribe", "{}", false],
  ]);
  expect(made[0]?.headers).toMatchObject({ authorization: `Bearer ${key}`, accept: "application/json" });
});

test("a failure that only withResponse is asked for is not left unheard", async () => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => unheard.push(reason);
  process.on("unhandledRejection", hear);
  try {
    const { client, until } = rig([failure(401, "unauthorized")]);
    await until(rejection(client.me().withResponse()));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unheard).toEqual([]);
  } finally {
    process.off("unhandledRejection", hear);
  }
});
