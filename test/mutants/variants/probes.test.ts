import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { limits } from "../../../generated/limits.ts";
import { type Sandbox, startSandbox } from "../../../sandbox/index.ts";
import { demoSandbox, demoSettings } from "../demo.ts";
import { intercepted } from "../mutant.ts";
import { variants } from "../variants.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  const startAt = Date.parse("2027-03-01T09:00:00Z");
  sandbox = await startSandbox({ ...demoSandbox(), clock: { frozen: true, startAt } });
});
afterAll(() => sandbox.close());

interface Probe {
  variant: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  role?: "noDomain" | "restricted";
  /** The body of a request before it, with the same idempotency key. */
  first?: unknown;
  /** A property of the response that is compared, too. */
  property?: "to";
  /** Status and error type of the sandbox, and of the variant. */
  want: [sandbox: string, variant: string];
}

const { keys } = demoSettings();
const emails = "/api/v1/emails";
const contacts = "/api/v1/newsletter/contacts";
const message = { from: "a@bakery.example", to: ["ada@readers.example"], subject: "s", text: "t" };
const suppressed = { ...message, to: ["gone@readers.example"] };
const longKey = { "idempotency-key": "k".repeat(limits.idempotencyKeyLength + 1) };
const template = { from: message.from, to: message.to, template_id: "no-such-template" };

// Requests that the suite does not send, or whose response it does not assert.
const probes: Probe[] = [
  {
    variant: "accepts a message of a batch whose recipients are all suppressed",
    path: `${emails}/batch`,
    body: { emails: [message, suppressed, message, suppressed] },
    want: ["422 send_rejected", "202"],
  },
  {
    variant: "rejects a too long idempotency key with 400",
    path: emails,
    body: message,
    headers: longKey,
    want: ["422 invalid_request", "400 key_too_long"],
  },
  {
    variant: "accepts times in the form of RFC 3339 only",
    path: emails,
    body: { ...message, scheduled_at: "2027-03-02T09:00Z" },
    want: ["202", "422 invalid_request"],
  },
  {
    variant: "rejects unsubscribing without a body",
    path: `${contacts}/subscribed%40readers.example/unsubscribe`,
    want: ["200", "422 invalid_request"],
  },
  {
    variant: "rejects an unknown template with 404",
    path: `${emails}/batch`,
    body: { emails: [message, template] },
    want: ["422 invalid_request", "404 not_found"],
  },
  {
    variant: "rejects every email operation of an account without a domain with 403",
    path: `${emails}/no-such-message`,
    role: "noDomain",
    want: ["404 not_found", "403 forbidden"],
  },
  {
    variant: "has a restricted key that may do nothing but send",
    path: "/api/v1/newsletter/lists",
    role: "restricted",
    want: ["200", "403 forbidden"],
  },
  {
    variant: "accepts null for optional properties, and empty texts",
    path: emails,
    body: { ...message, subject: "", cc: null, html: "" },
    want: ["422 invalid_request", "202"],
  },
  {
    variant: "rejects a malformed email address in a path with 422",
    path: `${contacts}/not%20an%20address`,
    want: ["404 not_found", "422 invalid_request"],
  },
  {
    variant: "accepts domains beyond ASCII, and base64 of other forms",
    path: emails,
    body: { ...message, to: ["ada@bücher.example"], attachments: [{ filename: "a.txt", content: "_w\r\n" }] },
    want: ["422 invalid_request", "202"],
  },
  {
    variant: "treats only identical bytes as the same request",
    path: emails,
    first: message,
    body: Object.fromEntries(Object.entries(message).reverse()),
    want: ["202", "409 idempotency_conflict"],
  },
  {
    variant: "returns the email addresses of recipients in lower case",
    path: emails,
    body: { ...message, to: ["Ada@readers.example"] },
    property: "to",
    want: ["202 Ada@readers.example", "202 ada@readers.example"],
  },
];

test.each(probes)(
  "$path: a correct server that $variant responds with $want.1, the sandbox with $want.0",
  async (probe) => {
    const { variant: title, path, first, body, headers = {}, role = "full", property, want } = probe;
    const plain = (url: string, init: RequestInit) => sandbox.fetch(url, init);
    const intercept = variants.find((variant) => variant.title === title)?.intercept;
    if (intercept === undefined) throw new Error(`no variant "${title}"`);
    const context = {
      bearer: (name: keyof typeof keys) => `Bearer ${keys[name]}`,
      now: () => sandbox.clock.now(),
      control: () => Promise.reject(new Error("no variant uses it")),
    };
    const isRead = body === undefined && !path.endsWith("/unsubscribe");
    const init: RequestInit = {
      method: isRead ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${keys[role]}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const outcomes = [];
    for (const fetch of [plain, intercepted(plain, intercept(context))]) {
      const own = first === undefined ? {} : { "idempotency-key": randomUUID() };
      const sent = { ...init, headers: { ...init.headers, ...own } };
      if (first !== undefined) await fetch(path, { ...sent, body: JSON.stringify(first) });
      const response = await fetch(path, sent);
      const { error, ...found } = (await response.json()) as { error?: { type: string }; to?: string[] };
      outcomes.push([response.status, error?.type ?? (property && found[property]) ?? ""].join(" ").trim());
    }
    expect(outcomes).toEqual(want);
  },
);
