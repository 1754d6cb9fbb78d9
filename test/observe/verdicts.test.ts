import { describe, expect, it, test } from "vitest";
import { Observer } from "../../contract/observe/observer.ts";
import type { ObserverOptions } from "../../contract/observe/state.ts";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";
import { accepted, error, exchange, failedIds, failuresOf, message, observed, withAll } from "./samples.ts";

type Changes = Parameters<typeof exchange>[2];

const path = "/api/v1/emails";
const withHeaders = (headers: Record<string, string>): Changes => ({
  requestHeaders: { authorization: "Bearer key_of_samples", "content-type": "application/json", ...headers },
});
const keyed = (idempotencyKey: string): Changes => withHeaders({ "idempotency-key": idempotencyKey });
const send = (id: string, changes: Changes = {}): ObservedExchange =>
  exchange("POST", path, { sent: message, ...accepted(id), ...changes });
const get = (url: string, changes: Changes = {}): ObservedExchange => exchange("GET", url, changes);
const invalid = (...names: string[]) =>
  error(422, "invalid_request", Object.fromEntries(names.map((name) => [name, ["No."]])));
const failed = (...traffic: ObservedExchange[]): string[] => failedIds(observed(traffic));

const { subject: _, to, ...rest } = message;
const long = { ...message, subject: "a".repeat(999) };
const replay = send("msg_7", keyed("three"));
replay.responseHeaders["idempotent-replayed"] = "true";
const manyRequests = get("/api/v1/newsletter/fields", { received: { fields: [] } });
manyRequests.responseHeaders["x-ratelimit-limit"] = "many";
const without = send("msg_2", { requestHeaders: { "content-type": "application/json" } });
const other = { ...message, subject: "Another" };
const nested = (levels: number): unknown => (levels === 0 ? "end" : [nested(levels - 1)]);
const deep = { ...message, unspecified: nested(1_000) };
const head = exchange("HEAD", "/api/v1/me", { status: 405, responseHeaders: { allow: "GET" } });
const once = send("msg_12");
const notModified = (changes: Changes): ObservedExchange => ({
  ...get("/api/v1/newsletter/lists", { status: 304, ...changes }),
  responseBody: "",
});
const unsubscribe = "/api/v1/newsletter/contacts/ada%40readers.example/unsubscribe";
const withText = (received: Changes) => ({ ...received, ...withHeaders({ "content-type": "text/plain" }) });

test.each<[title: string, traffic: ObservedExchange[], ids: string[]]>([
  [
    "a repeated request with its idempotency key is not replayed",
    [send("a1", keyed("one")), send("a2", keyed("one"))],
    ["IDEM-7", "IDEM-1"],
  ],
  [
    "another body with a used idempotency key is accepted",
    [send("a3", keyed("two")), send("a4", { sent: other, ...keyed("two") })],
    ["IDEM-2"],
  ],
  ["a replay of a request that the record does not have", [replay], []],
  [
    "what an empty idempotency key leads to is unspecified",
    [send("a5", keyed("")), send("a6", keyed(""))],
    [],
  ],
  [
    "what a malformed email address in a path leads to is unspecified",
    [get("/api/v1/newsletter/contacts/ada%40readers", invalid("email"))],
    [],
  ],
  [
    "an error may name an empty list of recipients too",
    [
      exchange("POST", `${path}/batch`, {
        sent: { emails: [{ ...rest, to: [] }] },
        ...invalid("emails.0.to", "emails.0.subject"),
      }),
    ],
    [],
  ],
  [
    "a batch with null in place of a message may be rejected",
    [exchange("POST", `${path}/batch`, { sent: { emails: [null, message] }, ...invalid("emails.0") })],
    [],
  ],
  [
    "JSON that is nested very deep may be rejected as a whole",
    [exchange("POST", path, { sent: { ...message, to: nested(100) }, ...invalid("body") })],
    [],
  ],
  ["JSON that is nested very deep may be accepted", [send("a0", { sent: deep })], []],
  [
    "a file name with a null character, or half a surrogate pair, may be rejected",
    ["a\u0000.txt", "a\ud83d.txt"].map((filename) =>
      exchange("POST", path, {
        sent: { ...message, attachments: [{ filename, content: "YQ==" }] },
        ...invalid("attachments.0.filename"),
      }),
    ),
    [],
  ],
  ["an unsubscribe without any body may be rejected", [exchange("POST", unsubscribe, invalid("body"))], []],
  ["a message with another content type may be rejected", [send("", withText(invalid()))], []],
  ["a message with another content type may be accepted", [send("a7", withText({}))], []],
  [
    "a message that was accepted is not found",
    [send("a8"), get(`${path}/a8`, error(404, "not_found"))],
    ["LOOK-1"],
  ],
  [
    "a lookup with a query may be rejected",
    [send("a8"), get(`${path}/a8?x=%zz`, error(404, "not_found"))],
    [],
  ],
  ["a message that was never seen is not found", [get(`${path}/a9`, error(404, "not_found"))], []],
  ["the same exchange in two records counts once", [once, once], []],
  ["a rejected invalid request", [exchange("POST", path, { sent: rest, ...invalid("to", "subject") })], []],
  [
    "an error that names the first of two invalid properties",
    [send("", { sent: { ...rest, from: "Shop <hello@shop.example>" }, ...invalid("from") })],
    ["ERR-10"],
  ],
  [
    "an error of a batch that names the message before",
    [
      exchange("POST", `${path}/batch`, {
        sent: { emails: [message, { ...message, from: "Shop <hello@shop.example>" }] },
        ...invalid("emails.0.from"),
      }),
    ],
    ["BATCH-8", "ERR-10"],
  ],
  [
    "a 304 to a conditional request has no body",
    [
      notModified(withHeaders({ "if-none-match": '"a"' })),
      notModified(withHeaders({ "if-modified-since": "Tue, 24 Nov 2026 12:00:00 GMT" })),
    ],
    [],
  ],
  ["a 304 to a request without a condition", [notModified({})], ["GEN-4"]],
  ["an accepted invalid request", [send("b1", { sent: long })], ["SEND-9"]],
  [
    "an accepted sender without @",
    [send("b2", { sent: { ...message, from: "not an address" } })],
    ["SEND-3"],
  ],
  [
    "an accepted sender that is a domain",
    [send("b3", { sent: { ...message, from: "mail.example.com" } })],
    ["SEND-3"],
  ],
  [
    "an error without texts in error.fields",
    [send("", { sent: long, ...error(422, "invalid_request", { subject: [] }) })],
    ["ERR-4"],
  ],
  ["an invalid header is a failure of the header alone", [manyRequests], ["HEAD-6"]],
  ["a response to HEAD has no body", [{ ...head, responseBody: "" }], []],
  ["an accepted request without a key", [send("b4"), without], ["AUTH-12"]],
  ["a record from which all keys were removed says nothing about requests without one", [without], []],
])("%s", (_, traffic, ids) => {
  expect(failed(...traffic)).toEqual(ids);
});

it.each([
  ["after it was sent", "2026-11-24T12:00:32Z", []],
  ["in the same second", "2026-11-24T12:00:30Z", []],
  ["before it was sent", "2026-11-24T12:00:05Z", ["LOOK-11"]],
])("a message that is delivered %s", (_, delivered_at, ids) => {
  const sent_at = "2026-11-24T12:00:30.500Z";
  const events = [["sent", sent_at] as const, ["delivered", delivered_at] as const];
  const record = {
    ...{ id: "c1", from: message.from, to: message.to, subject: message.subject, tags: {} },
    ...{ status: "delivered", status_description: "Delivered.", scheduled_at: null, sent_at, delivered_at },
    ...{ bounced_at: null, complained_at: null, bounce: null },
    events: events.map(([type, at]) => ({ type, at, detail: null })),
  };
  expect(failed(send("c1"), get(`${path}/c1`, { received: record }))).toEqual(ids);
});

it("a message that is not due yet has no time at which it was sent", () => {
  const scheduled_at = "2026-11-25T08:00:00Z";
  const sent = { ...message, scheduled_at };
  const received = { id: "sched_e", status: "scheduled", scheduled_at, to: message.to, suppressed: [] };
  const sent_at = "2026-11-24T12:00:30Z";
  const record = {
    ...{ id: "sched_e", from: message.from, to: message.to, subject: message.subject, tags: {} },
    ...{ status: "sent", status_description: "Sent.", scheduled_at, sent_at, delivered_at: null },
    ...{ bounced_at: null, complained_at: null, bounce: null },
    events: [{ type: "sent", at: sent_at, detail: null }],
  };
  const traffic = [send("sched_e", { sent, received }), get(`${path}/sched_e`, { received: record })];
  const found = failuresOf(observed(traffic)).filter((text) => text.includes("sent_at"));
  expect(found).toEqual([`LOOK-10 SCHED-20: expected sent_at null, found sent_at "${sent_at}"`]);
});

const composed = "Café";
const decomposed = composed.normalize("NFD");

it.each([
  ["whose text was trimmed, and is in another normal form", composed, "a", []],
  ["whose text is another one", "Cafe", "a", ["LOOK-5"]],
  ["whose tag was trimmed", composed, "a ", ["LOOK-6"]],
])("a message %s", (_, subject, tag, ids) => {
  const sent = {
    ...message,
    subject: ` ${decomposed} `,
    tags: { kind: tag },
    scheduled_at: "2026-11-25T08:00:00.5Z",
  };
  const scheduled_at = "2026-11-25T08:00:00.000000Z";
  const received = { id: "sched_c2", status: "scheduled", scheduled_at, to: message.to, suppressed: [] };
  const record = {
    ...{ id: "sched_c2", from: message.from, to: message.to, subject, tags: { kind: "a" } },
    ...{
      status: "scheduled",
      status_description: "Scheduled.",
      scheduled_at,
      sent_at: null,
      delivered_at: null,
    },
    ...{ bounced_at: null, complained_at: null, bounce: null, events: [] },
  };
  expect(failed(send("sched_c2", { sent, received }), get(`${path}/sched_c2`, { received: record }))).toEqual(
    ids,
  );
});

test("a message of many megabytes may be too large", () => {
  const send413 = (text: string) =>
    observed([exchange("POST", path, { sent: { ...message, text }, ...error(413, "send_rejected") })], {
      keys: { full: "key_of_samples" },
      fixtures: { domains: { verified: "bakery.example" } },
    });
  expect(failedIds(send413("x".repeat(20_000_000)))).toEqual([]);
  expect(failedIds(send413("x"))).toContain("SEND-30");
});

test("a key that has expired may be in use by a request that was rejected, or is to another path", () => {
  const keyed = (hours: number, changes: object) => ({
    ...exchange("POST", path, {
      ...{ sent: message, ...changes },
      requestHeaders: {
        ...{ authorization: "Bearer key_of_samples", "content-type": "application/json" },
        "idempotency-key": "order-1",
      },
    }),
    startedAt: Date.parse("2026-11-24T12:00:00Z") + hours * 3_600_000 + 0.5,
  });
  const other = { sent: { ...message, subject: "Other" }, ...error(409, "idempotency_conflict") };
  const rejected = keyed(30, { sent: long, ...invalid("subject") });
  expect(failed(keyed(0, accepted("c3")), rejected, keyed(31, other))).toEqual([]);
  expect(failed(keyed(0, accepted("c4")), keyed(31, other))).toEqual([]);
  const replay = { ...accepted("c5"), responseHeaders: { "idempotent-replayed": "true" } };
  expect(failed(keyed(0, accepted("c5")), keyed(31, replay))).not.toEqual([]);
});

it.each([
  ["website", "mailto:ada@readers.example", []],
  ["website", "https://readers.example/a b", []],
  ["website", "https://readers.example/a?b=c", ["CONT-1"]],
  ["birthday", "2023-02-29", []],
  ["birthday", "2023-02-28", ["CONT-1"]],
  ["weight", "0x10", []],
  ["weight", null, ["CONT-1"]],
  ["unknown", null, []],
  ["weight", "-1.5", ["CONT-1"]],
])("a server may reject a value of %s: %s", (name, value, ids) => {
  const fields = Object.entries({ website: "url", birthday: "date", weight: "number" }).map(
    ([key, type]) => ({
      ...{ key, label: key, type, fallback: null },
    }),
  );
  const listed = get("/api/v1/newsletter/fields", { received: { fields } });
  const sent = { email: "ada@readers.example", list_id: 2, fields: { [name]: value } };
  const rejected = exchange("POST", "/api/v1/newsletter/contacts", { sent, ...invalid(`fields.${name}`) });
  const found = failedIds(observed([listed, rejected], { ...knownKey, fixtures: { lists: { plain: 2 } } }));
  expect(found.filter((id) => id === "CONT-1")).toEqual(ids);
});

test("several faults of a property are expected once", () => {
  const sent = { ...long, from: "Ada <ada@example.com>" };
  const expected = failuresOf(observed([exchange("POST", path, { sent, ...invalid("from") })]));
  expect(expected.join()).toContain("error.fields with entries for from and subject alone");
});

const knownKey = { keys: { full: "key_of_samples" }, fixtures: {}, isAllTraffic: true };

describe("exchanges are compared with earlier ones", () => {
  it.each([
    ["Bearer", ["LIST-1"]],
    ["bearer", []],
  ])(
    "a key of the configuration that is rejected fails, unless its scheme is written in another way: %s",
    (scheme, ids) => {
      const requestHeaders = { authorization: `${scheme} ${withAll.keys?.full}` };
      const one = get("/api/v1/newsletter/lists", { ...error(401, "unauthorized"), requestHeaders });
      expect(failedIds(observed([one], withAll))).toEqual(ids);
    },
  );

  it("requests in progress at the same time have no verdict together", () => {
    const sent = send("msg_10", keyed("four"));
    const traffic = [sent, { ...send("msg_11", keyed("four")), startedAt: (sent.startedAt ?? 0) + 10 }];
    expect(failed(...traffic)).toEqual([]);
    expect(observed(traffic).counts.concurrent).toBe(2);
  });

  it("an accepted invalid request fails, whatever is in progress at the same time", () => {
    const moved = { scheduled_at: "2026-12-01T09:00:00" };
    const received = { id: "sched_1", status: "scheduled", scheduled_at: "2026-12-01T09:00:00.000Z" };
    const one = exchange("PATCH", `${path}/sched_1`, { sent: moved, received });
    const traffic = [get(`${path}/sched_1`, error(404, "not_found")), one];
    const crowded = traffic.map((each) => ({ ...each, startedAt: one.startedAt }));
    expect(failed(...crowded)).toEqual(["GEN-6", "SCHED-8"]);
  });

  it.each([
    ["one", 1, []],
    ["two", 2, ["HEAD-4", "LIMIT-5"]],
  ])("after 300 sends, a send that takes %s from the quota", (_, taken, ids) => {
    const sendWith = (index: number, remaining: number) =>
      send(`msg_quota_${index}`, {
        responseHeaders: {
          "x-ratelimit-limit": "1000",
          "x-ratelimit-remaining": String(1000 - index),
          "x-service-monthly-remaining": String(remaining),
        },
      });
    const sends = Array.from({ length: 300 }, (_, index) => sendWith(index, 900 - index));
    const traffic = [...sends, sendWith(300, 900 - 299 - taken)];
    expect(failedIds(observed(traffic, knownKey))).toEqual(ids);
  });

  const fixtures = { lists: { plain: 2, doubleOptIn: 1 } };
  const ofConfiguration = { fixtures, keys: { full: "key_of_full", otherAccount: "key_of_other" } };
  it.each<[key: string, ids: string[], options: ObserverOptions]>([
    ["key_of_another_application", [], ofConfiguration],
    ["key_of_other", ["AUTH-2"], ofConfiguration],
    ["key_of_another_application", [], { fixtures }],
  ])(
    "%s sees the lists of the configuration: only a key that it has is known to have another account",
    (key, ids, options) => {
      const lists = [
        { id: 2, name: "News", double_opt_in: false },
        { id: 1, name: "Offers", double_opt_in: true },
      ];
      const listed = get("/api/v1/newsletter/lists", {
        ...withHeaders({ authorization: `Bearer ${key}` }),
        received: { lists },
      });
      expect(failedIds(observed([listed], options))).toEqual(ids);
    },
  );

  it("a server that was started again may use the ids of requests again", () => {
    const [first, second] = [get("/api/v1/me"), get("/api/v1/me")];
    const again = { ...second, responseHeaders: first.responseHeaders };
    const observer = new Observer();
    observer.add(first);
    observer.forget();
    observer.add(again);
    observer.end();
    expect(failuresOf(observer)).toEqual([]);
    const repeated = observed([first, again]);
    expect(failedIds(repeated)).toEqual(["HEAD-2"]);
    const [failure] = repeated.tally.failures.values();
    expect(failure?.exchanges.map(({ startedAt }) => startedAt)).toEqual([first.startedAt, again.startedAt]);
  });

  it.each([
    [3, ["LIMIT-1"]],
    [0, []],
  ])("a request is rejected after a response with %i remaining requests", (remaining, ids) => {
    const last = get("/api/v1/me", { responseHeaders: { "x-ratelimit-remaining": String(remaining) } });
    const limited = { ...error(429, "rate_limited"), responseHeaders: { "retry-after": "9" } };
    const traffic = [last, { ...get("/api/v1/me", limited), startedAt: (last.startedAt ?? 0) + 100 }];
    expect(failedIds(observed(traffic, knownKey))).toEqual(ids);
    expect(failed(...traffic)).toEqual([]);
  });

  it.each<[title: string, remaining: (request: number) => number, ids: string[]]>([
    ["of a sliding window", (request) => 120 - Math.min(request + 1, 66), []],
    ["of a window that begins anew", (request) => 120 - ((request % 67) + 1), []],
    ["that never decrease", () => 119, ["HEAD-7"]],
    [
      "of a window that moves by ten seconds",
      (request) => {
        const partOf = (one: number): number => Math.floor((one * 0.9) / 10);
        const counted = Array.from({ length: request + 1 }, (_, one) => partOf(request) - partOf(one) < 5);
        return 120 - counted.filter(Boolean).length;
      },
      [],
    ],
    ["that decrease by two", (request) => 120 - 2 * ((request % 50) + 1), ["HEAD-7"]],
  ])("three minutes of requests with remaining requests %s", (_, remaining, ids) => {
    const traffic = Array.from({ length: 200 }, (_, request) => ({
      ...get("/api/v1/me", { responseHeaders: { "x-ratelimit-remaining": String(remaining(request)) } }),
      startedAt: Date.parse("2026-11-24T15:00:00Z") + request * 900,
    }));
    expect(failedIds(observed(traffic, knownKey))).toEqual(ids);
    // Also if the record began long before, with too few requests for a verdict.
    const [first, ...rest] = traffic;
    const pausing = first ? [{ ...first, startedAt: first.startedAt - 120_000 }, ...rest] : [];
    expect(failedIds(observed(pausing, knownKey))).toEqual(ids);
  });
});

describe("invalid requests are told from invalid responses", () => {
  it.each([
    ["getMe", "/api/v1/me", ["ME-1"]],
    ["listNewsletterLists", "/api/v1/newsletter/lists", ["LIST-1"]],
  ])("a server without %s fails, with a key and without one", (_, url, ids) => {
    const missing = get(url, error(404, "not_found"));
    expect(failed(missing)).toEqual(ids);
    const withoutKey = { ...get(url, error(404, "not_found")), requestHeaders: { host: "a" } };
    expect(failed(missing, withoutKey)).toEqual([...ids, "AUTH-12"]);
  });

  it.each([
    [403, "send_rejected", "from", []],
    [403, "send_rejected", "to", ["SEND-4", "AUTH-17"]],
    [422, "send_rejected", "to", []],
    [422, "send_rejected", "subject", ["ERR-11", "SEND-36"]],
    [401, "unauthorized", "from", ["AUTH-12", "AUTH-13"]],
  ])("%i %s whose error.fields names %s", (status, type, name, ids) => {
    expect(failed(send("", error(status, type, { [name]: ["No."] })))).toEqual(ids);
    const batch = { sent: { emails: [message] }, ...error(status, type, { [`emails.0.${name}`]: ["No."] }) };
    expect(failed(exchange("POST", `${path}/batch`, batch))).toEqual(ids);
  });

  it.each([
    ["to that is a text", { ...message, to: "ada@readers.example" }, "SEND-6"],
    ["no recipients", { ...message, to: undefined }, "SEND-5"],
  ])("no requirement about recipients judges a message with %s", (_, sent, id) => {
    const found = failuresOf(observed([exchange("POST", path, { sent, ...accepted("r1") })]));
    expect(found).toEqual([expect.stringContaining(id)]);
    expect(found.join()).toContain("expected 422 invalid_request, found 202");
    expect(found.join()).not.toContain("SEND-36");
  });

  it.each([
    ["x-ratelimit-remaining", "121", "HEAD-7", "120"],
    ["x-service-monthly-remaining", "1000001", "HEAD-4", "1000000"],
  ])("more remains than the limit: %s %s", (name, value, id, limit) => {
    const most = send("m1", { responseHeaders: { [name]: limit } });
    expect(failed(most)).toEqual([]);
    const found = failuresOf(observed([send("m2", { responseHeaders: { [name]: value } })]));
    expect(found).toEqual([expect.stringMatching(`^${id}: .*: ${value}, which must be <= ${limit}$`)]);
  });

  it("a failure keeps the start of a long body, and its size", () => {
    const { tally } = observed([send("c1", { received: { id: 5, more: "y".repeat(5000) } })]);
    const [failure] = tally.failures.values();
    expect(failure?.exchanges.at(-1)?.text).toMatch(/^.{2000}\.\.\. \(50\d\d characters in all\)$/);
  });

  it("headers that are missing are not compared with those of other sends", () => {
    const traffic = ["b1", "b2"].map((id) => {
      const { responseHeaders, ...rest } = send(id);
      const { "x-service-monthly-quota": _, "x-service-monthly-remaining": __, ...others } = responseHeaders;
      return { ...rest, responseHeaders: others };
    });
    expect(failuresOf(observed(traffic, knownKey))).toEqual(
      [
        "HEAD-3: expected the header X-Service-Monthly-Quota",
        "HEAD-4: expected the header X-Service-Monthly-Remaining",
      ].map((header) => `${header} as documented, found no such header`),
    );
  });

  it("a response of a gateway, or none, is not the server's", () => {
    const none = { status: 0, received: undefined, responseHeaders: {} };
    const traffic = [send("", { status: 502, received: undefined }), send("", none)];
    expect(failuresOf(observed(traffic))).toEqual([]);
    expect(observed(traffic).counts.unanswered).toBe(2);
    const unanswered = (isCut: boolean) => observed([{ ...send("", none), isCut }]).attempts.unanswered();
    expect([unanswered(false), unanswered(true)].map((all) => all.length)).toEqual([1, 0]);
  });
});

test("a 405 need not list the methods of operations that the configuration takes out", () => {
  const put = exchange("PUT", `${path}/msg_1`, {
    ...error(405, "method_not_allowed"),
    responseHeaders: { allow: "GET, DELETE" },
  });
  expect(failedIds(observed([put]))).toContain("HEAD-10");
  expect(failuresOf(observed([put])).join()).toContain("Allow: GET, DELETE");
  expect(failedIds(observed([put], { notImplemented: ["rescheduleEmail"] }))).not.toContain("HEAD-10");
});
