import { describe, expect, it } from "vitest";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";
import { accepted, entriesOf, error, exchange, message, observed } from "./samples.ts";

const path = "/api/v1/emails";
const knownKey = { keys: { full: "key_of_samples" }, fixtures: {}, isAllTraffic: true };
const entries = (...traffic: ObservedExchange[]): string[] => entriesOf(observed(traffic, knownKey));

/** A send with an idempotency key. */
const keyed = (id: string, remaining: number, headers: Record<string, string> = {}): ObservedExchange =>
  exchange("POST", path, {
    ...{ sent: message, ...accepted(id) },
    requestHeaders: {
      ...{ authorization: "Bearer key_of_samples", "content-type": "application/json" },
      "idempotency-key": "one",
    },
    responseHeaders: { "x-service-monthly-remaining": String(remaining), ...headers },
  });

/** A response without a header. */
function without(header: string, { responseHeaders, ...one }: ObservedExchange): ObservedExchange {
  const { [header]: _, ...others } = responseHeaders;
  return { ...one, responseHeaders: others };
}

describe("one cause is one entry", () => {
  it("of an error with the status of a success", () => {
    const { received } = error(422, "invalid_request", { subject: ["No."] });
    const { subject: _, ...sent } = message;
    const one = exchange("POST", path, { sent, received });
    expect(entries(one)).toEqual(["SEND-30 SEND-8"]);
    const listed = exchange("GET", "/api/v1/newsletter/lists", { received });
    const [entry = "", ...others] = entries(without("x-ratelimit-limit", listed));
    expect(others).toEqual([]);
    expect(entry).toMatch(/^LIST-\d+ .*HEAD-6/);
  });

  it("of a success without anything but its status", () => {
    const listed = exchange("GET", "/api/v1/newsletter/lists");
    expect(entries(without("x-ratelimit-limit", { ...listed, responseBody: "" }))).toHaveLength(1);
  });

  it("of a send with another status of success", () => {
    expect(entries(exchange("POST", path, { sent: message, ...accepted("a1"), status: 200 }))).toEqual([
      "SEND-30",
    ]);
  });

  it("of an error type with another status", () => {
    const rejected = error(400, "invalid_request", { from: ["No."] });
    const sent = { ...message, from: "Shop" };
    expect(entries(exchange("POST", path, { sent, ...rejected }))).toEqual(["SEND-37 SEND-3"]);
  });

  it("of a replay that lacks its header, for which no quota is used", () => {
    expect(entries(keyed("a2", 100), keyed("a2", 100))).toEqual(["IDEM-7 HEAD-4 LIMIT-5"]);
  });

  it("of idempotency keys without effect", () => {
    expect(entries(keyed("a3", 100), keyed("a4", 99))).toEqual(["IDEM-7 IDEM-1"]);
  });

  it("of a request that gets the response to an earlier one", () => {
    const [first, other] = [keyed("a5", 100), keyed("a5", 100, { "idempotent-replayed": "true" })];
    const requestHeaders = { ...other.requestHeaders, "idempotency-key": "two" };
    expect(entries(first, { ...other, requestHeaders })).toEqual(["SEND-31 IDEM-7"]);
  });
});

describe("faults that have nothing to do with each other are entries of their own", () => {
  it("a wrong header and a wrong property", () => {
    const received = { id: "b1", to: "ada@readers.example", suppressed: [] };
    const one = exchange("POST", path, { sent: message, status: 202, received });
    expect(entries(without("x-ratelimit-limit", one))).toEqual(["HEAD-6", "SEND-33"]);
  });

  it("a wrong status, and no request id", () => {
    const one = exchange("POST", path, { sent: message, ...accepted("b2"), status: 200 });
    expect(entries(without("x-service-request-id", one))).toEqual(["HEAD-1", "SEND-30"]);
  });

  it("an error with the status of a success, and without a request id", () => {
    const { received } = error(422, "invalid_request");
    const one = exchange("POST", path, { sent: message, received });
    expect(entries(without("x-service-request-id", one))).toEqual(["SEND-30", "HEAD-1"]);
  });

  it("a header that is missing in an error with the status of a success, and in another success", () => {
    const { received } = error(422, "invalid_request");
    const lists = { lists: [{ id: 2, name: "News", double_opt_in: false }] };
    const responses = [received, lists].map((body) =>
      exchange("GET", "/api/v1/newsletter/lists", { received: body }),
    );
    const found = entries(...responses.map((one) => without("x-ratelimit-limit", one)));
    expect(found).toHaveLength(2);
    expect(found[1]).toBe("HEAD-6");
  });
});

describe("the requirement that is the rule leads", () => {
  it("that tags of a contact are kept, before that there are any", () => {
    const sent = { email: "ada@readers.example", list_id: 2, tags: ["new"] };
    // The first request is one second later.
    const subscribed_at = new Date((exchange("GET", path).startedAt ?? 0) + 1000).toISOString();
    const member = (status: number, tags: string[]): ObservedExchange => {
      const times = { subscribed_at, unsubscribed_at: null };
      const own = { list_id: 2, email: sent.email, status: "subscribed", status_description: "On." };
      const details = { first_name: null, last_name: null, fields: {}, tags };
      const received = { ...own, ...times, ...details };
      return exchange("POST", "/api/v1/newsletter/contacts", {
        ...{ sent: { ...sent, tags: tags.slice(-1) }, status, received },
      });
    };
    const [found] = entries(member(201, ["old"]), member(200, ["new"]));
    expect(found).toBe("CONT-16 MEMB-16 MEMB-8 CONT-2");
  });

  it("that times are in UTC, before that a message has one", () => {
    const at = "2026-11-24T12:00:30.500";
    const record = {
      ...{ id: "c1", from: message.from, to: message.to, subject: message.subject, tags: {} },
      ...{ status: "sent", status_description: "Sent.", scheduled_at: null, sent_at: at, delivered_at: null },
      ...{
        bounced_at: null,
        complained_at: null,
        bounce: null,
        events: [{ type: "sent", at, detail: null }],
      },
    };
    const [found] = entries(exchange("GET", `${path}/c1`, { received: record }));
    expect(found).toMatch(/^GEN-7 LOOK-10/);
  });
});

describe("an entry shows the exchanges that its verdict rests on", () => {
  const id = "sched_1";
  const scheduled_at = "2026-11-30T12:00:00.000Z";
  const record = (status: string): object => ({
    ...{ id, from: message.from, to: message.to, subject: message.subject, tags: {}, scheduled_at },
    ...{ status, status_description: "Soon.", sent_at: null, delivered_at: null, bounced_at: null },
    ...{ complained_at: null, bounce: null, events: [] },
  });
  const sent = exchange("POST", path, {
    ...{ sent: { ...message, scheduled_at }, status: 202 },
    received: { id, status: "scheduled", scheduled_at, to: message.to, suppressed: [] },
  });
  const canceled = exchange("DELETE", `${path}/${id}`, { received: { id, status: "canceled" } });
  const forbidden = exchange("GET", `${path}/${id}`, {
    ...error(403, "forbidden"),
    requestHeaders: { authorization: "Bearer key_to_read" },
  });
  const lookup = (status: string): ObservedExchange =>
    exchange("GET", `${path}/${id}`, { received: record(status) });
  const keys = { full: "key_of_samples", manageOnly: "key_to_read" };
  it.each([
    ["the cancellation, not what another key gets", [forbidden], ["DELETE 200", "GET 200"]],
    ["and the last response that shows it", [lookup("canceled")], ["DELETE 200", "GET 200", "GET 200"]],
  ])("%s", (_, between, shown) => {
    const traffic = [sent, canceled, ...between, lookup("scheduled")];
    const observer = observed(traffic, { ...knownKey, keys });
    const [failure, ...others] = observer.tally.failures.values();
    expect(others).toEqual([]);
    expect(failure?.exchanges.map(({ request, status }) => `${request.method} ${status}`)).toEqual(shown);
  });
});
