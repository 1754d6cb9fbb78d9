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

const capabilities = { idempotencyKeys: "explicit" } as const;

describe("checkRequest", () => {
  it.each<{ title: string; call: Call; given: WireRequest }>([
    { title: "without a body", call: lists, given: request() },
    { title: "with a body", call: send, given: sent(send.body) },
    {
      title: "with a time in UTC",
      call: scheduled,
      given: sent({ ...scheduled.body, scheduled_at: "2027-02-21T09:00:00.000Z" }),
    },
    {
      title: "with a charset",
      call: send,
      given: sent(send.body, { "content-type": "application/json; charset=utf-8" }),
    },
    {
      title: "with several media types",
      call: lists,
      given: request({ headers: { accept: "application/json, */*;q=0.1" } }),
    },
    { title: "with an encoded email address", call: lookup, given: looked(encoded) },
    {
      title: "with characters that may be encoded or not",
      call: lookup,
      given: looked("Ada+a%2fb%252F@readers.example"),
    },
    {
      title: "with its idempotency key",
      call: { ...send, idempotencyKey: "a" },
      given: sent(send.body, { ...json, "idempotency-key": "a" }),
    },
    {
      title: "with a body that is optional",
      call: { operation: "unsubscribeContact", path: { email: "a" } },
      given: request({ method: "POST", target: "/api/v1/newsletter/contacts/a/unsubscribe" }),
    },
  ])("finds nothing in a request $title", ({ call, given }) => {
    expect(
      checkRequest(given, call, key, capabilities).filter(({ failure }) => failure !== undefined),
    ).toEqual([]);
  });

  it.each<{ title: string; call: Call; given: WireRequest; want: string[]; found: RegExp }>([
    {
      title: "another method",
      call: lists,
      given: request({ method: "POST" }),
      want: ["GEN-1"],
      found: /^POST /,
    },
    {
      title: "another path",
      call: lists,
      given: request({ target: "/v1/newsletter/lists" }),
      want: ["GEN-1"],
      found: /^GET \/v1/,
    },
    {
      title: "a query",
      call: lists,
      given: request({ target: "/api/v1/newsletter/lists?a=1" }),
      want: ["GEN-1"],
      found: /\?a=1$/,
    },
    {
      title: "no key",
      call: lists,
      given: request({ headers: { authorization: "" } }),
      want: ["AUTH-1"],
      found: /^$/,
    },
    {
      title: "the key in the URL",
      call: lists,
      given: request({ target: `/api/v1/newsletter/lists?key=${key}` }),
      want: ["GEN-1", "AUTH-6"],
      found: /./,
    },
    {
      title: "the key in another header",
      call: lists,
      given: request({ headers: { "x-api-key": key } }),
      want: ["AUTH-6"],
      found: /the header x-api-key$/,
    },
    {
      title: "the key in the body",
      call: { ...send, body: { key } },
      given: sent({ key }),
      want: ["AUTH-6"],
      found: /the body$/,
    },
    {
      title: "another accepted media type",
      call: lists,
      given: request({ headers: { accept: "*/*" } }),
      want: ["GEN-5"],
      found: /^\*\/\*$/,
    },
    {
      title: "another media type",
      call: send,
      given: sent(send.body, { "content-type": "text/plain" }),
      want: ["GEN-3"],
      found: /text\/plain$/,
    },
    {
      title: "an added property",
      call: send,
      given: sent({ ...send.body, cc: null }),
      want: ["GEN-3"],
      found: /^cc is added/,
    },
    {
      title: "a changed number",
      call: send,
      given: sent({ ...send.body, n: "1" }),
      want: ["GEN-3"],
      found: /^n is "1", not 1$/,
    },
    {
      title: "a time in another form",
      call: scheduled,
      given: sent({ ...scheduled.body, scheduled_at: "2027-02-21 10:00:00 +0100" }),
      want: ["GEN-6"],
      found: /^"2027-02-21 10:00:00 \+0100"$/,
    },
    {
      title: "a time without an offset",
      call: scheduled,
      given: sent({ ...scheduled.body, scheduled_at: "2027-02-21T10:00:00" }),
      want: ["GEN-6"],
      found: /./,
    },
    {
      title: "another time",
      call: scheduled,
      given: sent({ ...scheduled.body, scheduled_at: "2027-02-21T10:00:00Z" }),
      want: ["GEN-3"],
      found: /^scheduled_at is /,
    },
    {
      title: "a missing time",
      call: scheduled,
      given: sent(send.body),
      want: ["GEN-3"],
      found: /^scheduled_at is missing$/,
    },
    {
      title: "a body that is not JSON",
      call: send,
      given: sent("to=ada"),
      want: ["GEN-3"],
      found: /not JSON in UTF-8: to=ada/,
    },
    {
      title: "a body that is not UTF-8",
      call: send,
      given: { ...sent(send.body), body: Buffer.from('{"to":"\xe4"}', "latin1") },
      want: ["GEN-3"],
      found: /not JSON in UTF-8/,
    },
    {
      title: "a byte order mark",
      call: send,
      given: sent(`\uFEFF${JSON.stringify(send.body)}`),
      want: ["GEN-3"],
      found: /not JSON in UTF-8/,
    },
    { title: "a missing body", call: send, given: sent("", {}), want: ["GEN-3"], found: /not JSON/ },
    {
      title: "a body without need",
      call: lists,
      given: request({ body: Buffer.from("{}") }),
      want: ["GEN-3"],
      found: /2 bytes/,
    },
    {
      title: "an email address that is encoded twice",
      call: lookup,
      given: looked(encodeURIComponent(encoded)),
      want: ["GEN-9"],
      found: /%252Fb/,
    },
    {
      title: "an email address that is not encoded",
      call: lookup,
      given: looked("Ada+a/b%2F@readers.example"),
      want: ["GEN-1", "GEN-9"],
      found: /./,
    },
    {
      title: "an email address in lower case",
      call: lookup,
      given: looked(encoded.toLowerCase()),
      want: ["GEN-9"],
      found: /./,
    },
    {
      title: "plus as a space",
      call: { ...lookup, path: { email: "a b" } },
      given: looked("a+b"),
      want: ["GEN-9"],
      found: /./,
    },
    {
      title: "another id",
      call: { operation: "getEmail", path: { id: "007" } },
      given: request({ target: "/api/v1/emails/7" }),
      want: ["GEN-8"],
      found: /emails\/7$/,
    },
    {
      title: "an invalid encoding",
      call: { operation: "getEmail", path: { id: "%" } },
      given: request({ target: "/api/v1/emails/%" }),
      want: ["GEN-8"],
      found: /./,
    },
    {
      title: "another idempotency key",
      call: { ...send, idempotencyKey: "a" },
      given: sent(send.body, { ...json, "idempotency-key": "b" }),
      want: ["IDEM-5"],
      found: /^b$/,
    },
    {
      title: "no idempotency key",
      call: { ...send, idempotencyKey: "a" },
      given: sent(send.body),
      want: ["IDEM-5"],
      found: /no idempotency key/,
    },
    {
      title: "an idempotency key of a client that declares to create none",
      call: send,
      given: sent(send.body, { ...json, "idempotency-key": "b" }),
      want: ["IDEM-5"],
      found: /^Idempotency-Key: b$/,
    },
    {
      title: "an integer as a float",
      call: { operation: "upsertContact", body: { list_id: 1 } },
      given: request({
        method: "POST",
        target: "/api/v1/newsletter/contacts",
        headers: json,
        body: Buffer.from('{"list_id":1.0}'),
      }),
      want: ["GEN-3"],
      found: /^list_id is "the number 1\.0", not 1$/,
    },
  ])("finds $title", ({ call, given, want, found }) => {
    const failures = checkRequest(given, call, key, capabilities).filter(
      ({ failure }) => failure !== undefined,
    );
    expect(failures.flatMap(({ ids }) => ids)).toEqual(want);
    expect(failures[0]?.failure?.found).toMatch(found);
  });
});
