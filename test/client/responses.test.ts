import { expect, test } from "vitest";
import { ApiError, fieldsByMessage, hooks, isErrorOf } from "../../client/src/index.ts";
import { accepted, failure, message, rejection, success, testClient } from "./test-client.ts";

test("a method resolves to the data; withResponse adds the metadata", async () => {
  const headers = {
    "X-Service-Monthly-Quota": "10000",
    "X-Service-Monthly-Remaining": "0",
    "Idempotent-Replayed": "true",
  };
  const { client, until } = testClient([{ status: 503 }, success(accepted, headers, 202)]);
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

test("missing metadata is null", async () => {
  const { client, until } = testClient([{ status: 200, body: "{}" }]);
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

test("unknown properties, types and states pass through, and timestamps stay strings", async () => {
  const record = {
    id: "1",
    status: "sent",
    sent_at: "2027-01-31T09:00:00Z",
    news: { a: 1 },
    events: [{ type: "opened" }],
  };
  const { client, until } = testClient([success(record)]);
  expect(await until(client.emails.get("1"))).toEqual(record);
});

test("an ApiError has all details of the response", async () => {
  const fields = {
    "emails.3.to": ["is empty"],
    "emails.3.subject": ["is too long"],
    "emails.12.from": ["has a name"],
  };
  const { client, until } = testClient([failure(422, "invalid_request", {}, { fields })]);
  const error = await until(rejection(client.emails.batch.send([message])));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    message:
      "422 invalid_request: It did not work. emails.3.to: is empty; emails.3.subject: is too long; emails.12.from: has a name",
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

test.for<[count: number, text: string]>([
  [0, ""],
  [1, " one: is empty"],
  [2, " one: is empty; two: is empty"],
  [4, " one: is empty; two: is empty; three: is empty; four: is empty"],
  [5, " one: is empty; two: is empty; three: is empty; four: is empty and 1 more"],
  [7, " one: is empty; two: is empty; three: is empty; four: is empty and 3 more"],
])("the message of an ApiError with %d fields", async ([count, text]) => {
  const names = ["one", "two", "three", "four", "five", "six", "seven"].slice(0, count);
  const fields = Object.fromEntries(names.map((name) => [name, ["is empty", "is short"]]));
  const { client, until } = testClient([failure(422, "invalid_request", {}, { fields })]);
  const { message: said } = (await until(rejection(client.me()))) as ApiError;
  expect(said).toBe(`422 invalid_request: It did not work.${text}`);
});

test.for([
  ["an empty body", { status: 202 }],
  ["no content", { status: 204 }],
  ["eleven megabytes", { status: 202, body: JSON.stringify({ id: "x".repeat(11e6) }) }],
  ["a redirection", { status: 302, headers: { Location: "https://elsewhere.example/" } }],
] as const)("%s is not a success", async ([, step]) => {
  const { client, until, requests } = testClient([step]);
  const error = await until(rejection(client.emails.send(message)));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: step.status, type: null, fields: null, attempts: 1 });
  expect((error as Error).message).toBe(`${step.status}: no readable body`);
  expect((error as ApiError).idempotencyKey).toBe(requests[0]?.headers["idempotency-key"]);
});

test("isErrorOf narrows to the errors of an operation", async () => {
  const known = testClient([failure(409, "not_cancellable")]);
  const error = await known.until(rejection(known.client.emails.cancel("sched_1")));
  expect(isErrorOf(error, "cancelEmail")).toBe(true);
  expect(isErrorOf(error, "rescheduleEmail")).toBe(false);
  const news = testClient([failure(409, "something_new")]);
  expect(isErrorOf(await news.until(rejection(news.client.emails.cancel("sched_1"))), "cancelEmail")).toBe(
    false,
  );
  const broken = testClient([{ status: 502, body: "<html>" }], { attempts: 1 });
  expect(isErrorOf(await broken.until(rejection(broken.client.me())), "getMe")).toBe(true);
  expect(isErrorOf(new Error("other"), "getMe")).toBe(false);
  for (const wrong of ["sendMail", undefined])
    expect(() => isErrorOf(error, wrong as "sendEmail")).toThrow(
      `operation must be an operation id such as sendEmail (got ${JSON.stringify(wrong)})`,
    );
});

test("path parameters are encoded, and those that would change the path are rejected", async () => {
  const { client, requests, until } = testClient([success({})], { baseUrl: "https://api.example.com/mail/" });
  for (const part of ["", ".", "..", "\ud800", 7, undefined, null])
    expect(await until(rejection(client.emails.get(part as string)))).toMatchObject({
      name: "TypeError",
      message: `id must be a well-formed string, and not empty, "." or ".." (got ${JSON.stringify(part)})`,
    });
  expect(requests).toHaveLength(0);
  await until(client.newsletter.contacts.get("ada+news&x?y#z%@example.com"));
  await until(client.newsletter.contacts.unsubscribe("$&@example.com", { list_id: 7 }));
  await until(client.newsletter.contacts.get("../a\\b/../%2F{id}@example.com"));
  expect(requests.map(({ url }) => url)).toEqual([
    "https://api.example.com/mail/api/v1/newsletter/contacts/ada%2Bnews%26x%3Fy%23z%25%40example.com",
    "https://api.example.com/mail/api/v1/newsletter/contacts/%24%26%40example.com/unsubscribe",
    "https://api.example.com/mail/api/v1/newsletter/contacts/..%2Fa%5Cb%2F..%2F%252F%7Bid%7D%40example.com",
  ]);
});

test("hooks receive attempts, results and pauses, and their errors are ignored", async () => {
  const received: unknown[] = [];
  const { client, until, requests } = testClient([{ status: 503 }, success(accepted, {}, 202)], {
    onEvent: hooks(
      () => {
        throw new Error("a broken log");
      },
      (event) => {
        if (event.type === "attempt") event.headers.traceparent = `00-1-${event.attempts}`;
        received.push([
          event.type,
          event.attempts,
          event.type === "result" ? event.response?.status : undefined,
        ]);
      },
    ),
  });
  expect(await until(client.emails.send(message))).toEqual(accepted);
  expect(received).toEqual([
    ["attempt", 1, undefined],
    ["result", 1, 503],
    ["pause", 1, undefined],
    ["attempt", 2, undefined],
    ["result", 2, 202],
  ]);
  expect(requests.map(({ headers }) => headers.traceparent)).toEqual(["00-1-1", "00-1-2"]);
});

test("a failure of withResponse causes no unhandled rejection", async () => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => unheard.push(reason);
  process.on("unhandledRejection", hear);
  try {
    const { client, until } = testClient([failure(401, "unauthorized")]);
    await until(rejection(client.me().withResponse()));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unheard).toEqual([]);
  } finally {
    process.off("unhandledRejection", hear);
  }
});
