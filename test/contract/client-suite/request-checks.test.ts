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
    ["with an encoded email address", lookup, looked(encoded)],
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
    ["a query", lists, request({ target: "/api/v1/newsletter/lists?a=1" }), ["GEN-1"], /\?a=1$/],
    [
      "the key in the URL",
      lists,
      request({ target: `/api/v1/newsletter/lists?key=${key}` }),
      ["GEN-1", "AUTH-6"],
      /./,
    ],
    ["the key in the body", { ...send, body: { key } }, sent({ key }), ["AUTH-6"], /the body$/],
    [
      "another media type",
      send,
      sent(send.body, { "content-type": "text/plain" }),
      ["GEN-3"],
      /text\/plain$/,
    ],
    ["a changed number", send, sent({ ...send.body, n: "1" }), ["GEN-3"], /^n is "1", not 1$/],
    [
      "a time in another form",
      scheduled,
      sent({ ...scheduled.body, scheduled_at: "2027-02-21 10:00:00 +0100" }),
      ["GEN-6"],
      /^"2027-02-21 10:00:00 \+0100"$/,
    ],
    [
      "another time",
      scheduled,
      sent({ ...scheduled.body, scheduled_at: "2027-02-21T10:00:00Z" }),
      ["GEN-3"],
      /^scheduled_at is /,
    ],
    [
      "no text beside html",
      { ...send, body: { html: "", text: "" } },
      sent({ html: "" }),
      ["GEN-3", "SEND-13"],
      /./,
    ],
    [
      "text beside a template",
      { operation: "sendEmail", body: { template_id: "a" } },
      sent({ template_id: "a", text: "" }),
      ["GEN-3", "SEND-15"],
      /^text is added: ""$/,
    ],
    [
      "text beside the template of a message in a batch",
      { operation: "sendBatch", body: { emails: [{ html: "" }, { template_id: "a" }] } },
      { ...sent({ emails: [{ html: "" }, { template_id: "a", text: "" }] }), target: "/api/v1/emails/batch" },
      ["GEN-3", "SEND-15"],
      /^emails\.1\.text is added: ""$/,
    ],
    [
      "text beside html alone",
      { ...send, body: { html: "" } },
      sent({ html: "", text: "" }),
      ["GEN-3"],
      /^text/,
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
    [
      "an email address that is encoded twice",
      lookup,
      looked(encodeURIComponent(encoded)),
      ["GEN-9"],
      /%252Fb/,
    ],
    ["a slash that is not encoded", lookup, looked("Ada%2Ba/b%252F%40readers.example"), ["GEN-9"], /a\/b/],
    [
      "an invalid encoding",
      { operation: "getEmail", path: { id: "%" } },
      request({ target: "/api/v1/emails/%" }),
      ["GEN-8"],
      /./,
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
