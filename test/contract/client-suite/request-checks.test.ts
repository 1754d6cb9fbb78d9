import { describe, expect, it } from "vitest";
import type { Call } from "../../../contract/client-suite/driver/protocol.ts";
import { checkRequest } from "../../../contract/client-suite/engine/request-checks.ts";
import type { WireRequest } from "../../../contract/client-suite/service/recording-server.ts";
import { key, request } from "./wire.ts";

const lists: Call = { operation: "listNewsletterLists" };
const send = { operation: "sendEmail", body: { to: ["ada@readers.example"], n: 1 } } as const;
const scheduled = {
  operation: "sendEmail",
  body: { ...send.body, scheduled_at: "2027-02-21T10:00:00+01:00" },
} as const;
const lookup: Call = { operation: "getContact", path: { email: "Ada+a/b%2F@readers.example" } };

const json = { "content-type": "application/json" };
const sent = (body: unknown, headers: Record<string, string> = json): WireRequest =>
  request({
    method: "POST",
    target: "/api/v1/emails",
    headers,
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  });
const looked = (email: string): WireRequest => request({ target: `/api/v1/newsletter/contacts/${email}` });
const encoded = "Ada%2Ba%2Fb%252F%40readers.example";

const failuresOf = (given: WireRequest, call: Call) =>
  [...checkRequest(given, call, key, { idempotencyKeys: "explicit" })].filter(
    ({ failure }) => failure !== undefined,
  );

describe("checkRequest", () => {
  it.each<[title: string, call: Call, given: WireRequest]>([
    ["without a body", lists, request()],
    ["with a body", send, sent(send.body)],
    ["with a time in UTC", scheduled, sent({ ...scheduled.body, scheduled_at: "2027-02-21T09:00:00.000Z" })],
    ["with a charset", send, sent(send.body, { "content-type": "application/json; charset=utf-8" })],
    ["with several media types", lists, request({ headers: { accept: "application/json, */*;q=0.1" } })],
    ["with an encoded email address", lookup, looked(encoded)],
    ["with characters that may be encoded or not", lookup, looked("Ada+a%2fb%252F@readers.example")],
    [
      "with its idempotency key",
      { ...send, idempotencyKey: "a" },
      sent(send.body, { ...json, "idempotency-key": "a" }),
    ],
    [
      "with a body that is optional",
      { operation: "unsubscribeContact", path: { email: "a" } },
      request({ method: "POST", target: "/api/v1/newsletter/contacts/a/unsubscribe" }),
    ],
  ])("finds nothing in a request %s", (_, call, given) => {
    expect(failuresOf(given, call)).toEqual([]);
  });

  it.each<[title: string, call: Call, given: WireRequest, want: string[], found: RegExp]>([
    ["another method", lists, request({ method: "POST" }), ["GEN-1"], /^POST /],
    ["another path", lists, request({ target: "/v1/newsletter/lists" }), ["GEN-1"], /^GET \/v1/],
    ["a query", lists, request({ target: "/api/v1/newsletter/lists?a=1" }), ["GEN-1"], /\?a=1$/],
    ["no key", lists, request({ headers: { authorization: "" } }), ["AUTH-1"], /^$/],
    [
      "the key in the URL",
      lists,
      request({ target: `/api/v1/newsletter/lists?key=${key}` }),
      ["GEN-1", "AUTH-6"],
      /./,
    ],
    [
      "the key in another header",
      lists,
      request({ headers: { "x-api-key": key } }),
      ["AUTH-6"],
      /the header x-api-key$/,
    ],
    ["the key in the body", { ...send, body: { key } }, sent({ key }), ["AUTH-6"], /the body$/],
    ["another accepted media type", lists, request({ headers: { accept: "*/*" } }), ["GEN-5"], /^\*\/\*$/],
    [
      "another media type",
      send,
      sent(send.body, { "content-type": "text/plain" }),
      ["GEN-3"],
      /text\/plain$/,
    ],
    ["an added property", send, sent({ ...send.body, cc: null }), ["GEN-3"], /^cc is added/],
    ["a changed number", send, sent({ ...send.body, n: "1" }), ["GEN-3"], /^n is "1", not 1$/],
    [
      "a time in another form",
      scheduled,
      sent({ ...scheduled.body, scheduled_at: "2027-02-21 10:00:00 +0100" }),
      ["GEN-6"],
      /^"2027-02-21 10:00:00 \+0100"$/,
    ],
    [
      "a time without an offset",
      scheduled,
      sent({ ...scheduled.body, scheduled_at: "2027-02-21T10:00:00" }),
      ["GEN-6"],
      /./,
    ],
    [
      "another time",
      scheduled,
      sent({ ...scheduled.body, scheduled_at: "2027-02-21T10:00:00Z" }),
      ["GEN-3"],
      /^scheduled_at is /,
    ],
    ["a missing time", scheduled, sent(send.body), ["GEN-3"], /^scheduled_at is missing$/],
    ["a body that is not JSON", send, sent("to=ada"), ["GEN-3"], /not JSON in UTF-8: to=ada/],
    [
      "a body that is not UTF-8",
      send,
      { ...sent(send.body), body: Buffer.from('{"to":"\xe4"}', "latin1") },
      ["GEN-3"],
      /not JSON in UTF-8/,
    ],
    ["a byte order mark", send, sent(`\uFEFF${JSON.stringify(send.body)}`), ["GEN-3"], /not JSON in UTF-8/],
    ["a missing body", send, sent("", {}), ["GEN-3"], /not JSON/],
    ["a body without need", lists, request({ body: Buffer.from("{}") }), ["GEN-3"], /2 bytes/],
    [
      "an email address that is encoded twice",
      lookup,
      looked(encodeURIComponent(encoded)),
      ["GEN-9"],
      /%252Fb/,
    ],
    [
      "an email address that is not encoded",
      lookup,
      looked("Ada+a/b%2F@readers.example"),
      ["GEN-1", "GEN-9"],
      /./,
    ],
    ["an email address in lower case", lookup, looked(encoded.toLowerCase()), ["GEN-9"], /./],
    ["plus as a space", { ...lookup, path: { email: "a b" } }, looked("a+b"), ["GEN-9"], /./],
    [
      "another id",
      { operation: "getEmail", path: { id: "007" } },
      request({ target: "/api/v1/emails/7" }),
      ["GEN-8"],
      /emails\/7$/,
    ],
    [
      "an invalid encoding",
      { operation: "getEmail", path: { id: "%" } },
      request({ target: "/api/v1/emails/%" }),
      ["GEN-8"],
      /./,
    ],
    [
      "another idempotency key",
      { ...send, idempotencyKey: "a" },
      sent(send.body, { ...json, "idempotency-key": "b" }),
      ["IDEM-5"],
      /^b$/,
    ],
    [
      "no idempotency key",
      { ...send, idempotencyKey: "a" },
      sent(send.body),
      ["IDEM-5"],
      /no idempotency key/,
    ],
    [
      "an idempotency key of a client that declares to create none",
      send,
      sent(send.body, { ...json, "idempotency-key": "b" }),
      ["IDEM-5"],
      /^Idempotency-Key: b$/,
    ],
    [
      "an integer as a float",
      { operation: "upsertContact", body: { list_id: 1 } },
      request({
        method: "POST",
        target: "/api/v1/newsletter/contacts",
        headers: json,
        body: Buffer.from('{"list_id":1.0}'),
      }),
      ["GEN-3"],
      /^list_id is "the number 1\.0", not 1$/,
    ],
  ])("finds %s", (_, call, given, want, found) => {
    const failures = failuresOf(given, call);
    expect(failures.flatMap(({ ids }) => ids)).toEqual(want);
    expect(failures[0]?.failure?.found).toMatch(found);
  });
});
