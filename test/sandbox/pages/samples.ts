import { expect, onTestFinished } from "vitest";
import type { LoggedRequest, Message } from "../../../sandbox/domain/records.ts";
import { openTestSite, startedAt, type TestSite } from "../control/test-site.ts";

const content = { subject: "", html: null, text: null, reply_to: null, headers: {}, attachments: [] };

/** One red pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/** An ordinary message with everything that a message can have. */
export const receipt: Partial<Message> = {
  id: "msg_receipt",
  to: ["ada@readers.example", "grace@readers.example"],
  cc: ["office@readers.example"],
  bcc: ["archive@readers.example"],
  tags: { kind: "receipt", order: "1042" },
  content: {
    subject: "Your order 1042 is ready",
    html: '<h1>Good morning, Ada</h1><p>Your order <b>1042</b> is ready.</p><img id="logo" alt="Logo" width="40" height="40" src="cid:logo@bakery">',
    text: "Good morning, Ada\n\nYour order 1042 is ready.",
    reply_to: "shop@bakery.example",
    headers: { "X-Entity-Ref-ID": "order-1042" },
    attachments: [
      { filename: "logo.png", content: pixel, content_type: "image/png", content_id: "logo@bakery" },
      {
        filename: "receipt 1042.txt",
        content: Buffer.from("Two loaves").toString("base64"),
        content_type: "text/plain",
      },
      { filename: "terms.pdf", path: "https://files.bakery.example/terms.pdf" },
    ],
  },
  events: [
    { type: "sent", at: startedAt, detail: null },
    { type: "delivered", at: startedAt + 2000, detail: null },
  ],
};

/** A message that bounced. */
export const bounced: Partial<Message> = {
  id: "msg_bounced",
  to: ["bounce@simulator.example"],
  status: "bounced",
  bouncedAt: startedAt + 1000,
  content: { ...content, subject: "Welcome to the bakery", text: "Hello" },
  bounce: {
    type: "hard",
    subtype: "mailbox_missing",
    permanent: true,
    summary: "The mailbox does not exist.",
    what_to_do: "Take the address off your lists.",
    diagnostic: "550 5.1.1 No such user",
  },
  events: [
    { type: "sent", at: startedAt, detail: null },
    { type: "bounced", at: startedAt + 1000, detail: "550 5.1.1 No such user" },
  ],
};

/** A message that waits. */
export const scheduled: Partial<Message> = {
  id: "sched_reminder",
  status: "scheduled",
  sentAt: null,
  deliveredAt: null,
  scheduledAt: startedAt + 86_400_000,
  dueAt: startedAt + 86_400_000,
  content: { ...content, subject: "Your course begins tomorrow", text: "At nine, by the big oven." },
  events: [],
};

const attack = `<script>window.top.document.title = "taken"; fetch("/reset", { method: "POST" })</script>
<img src="https://tracker.example/pixel.png" onerror="document.title='taken'"><svg onload="alert(1)"></svg>
<form action="/reset" method="post"><button id="button">Win</button></form><meta http-equiv="refresh" content="0;url=/reset">
<link rel="stylesheet" href="https://tracker.example/style.css"><iframe src="/clock"></iframe><base href="https://tracker.example/">
<a id="link" href="/" target="_top">a link</a><object data="/"></object><style>@import "https://tracker.example/import.css";</style>`;

/** A message that tries whatever a message can try: scripts, forms, trackers, other writing, long words, names that end attributes. */
export const hostile: Partial<Message> = {
  id: "msg_hostile",
  from: `"><script>alert(1)</script>@bakery.example`,
  to: [`<img src=x onerror=alert(1)>@readers.example`],
  tags: { "<b>bold</b>": "\u202eevil", __proto__: "'\"><script>alert(1)</script>" },
  content: {
    subject: `\u202eמזל טוב <script>document.title="taken"</script> ${"longword".repeat(60)} 🎂`,
    html: attack + "<p>much text</p>".repeat(2_000),
    text: `</pre><script>document.title="taken"</script>\u202e\n${"x".repeat(200_000)}`,
    reply_to: "\"'><script>alert(1)</script>@bakery.example",
    headers: { "X-Attack": "</dd><script>alert(1)</script>" },
    attachments: [
      {
        filename: `../../"; filename="evil.html\r\n<script>.html`,
        content: Buffer.from(attack).toString("base64"),
        content_type: "text/html",
      },
      {
        filename: "fake.png",
        content: Buffer.from(attack).toString("base64"),
        content_type: 'image/svg+xml" onload="alert(1)',
        content_id: "fake",
      },
    ],
  },
  events: [{ type: "<script>alert(1)</script>", at: startedAt, detail: "</span><script>alert(1)</script>" }],
};

const request = {
  accountId: "bakery",
  method: "POST",
  path: "/api/v1/emails",
  status: 202,
  errorType: null,
  fields: [],
  at: startedAt,
};

/** Logged requests of each kind. */
export const requests: LoggedRequest[] = [
  { ...request, requestId: "req_1" },
  {
    ...request,
    requestId: "req_2",
    method: "GET",
    path: "/api/v1/newsletter/contacts/ada%40readers.example",
    status: 404,
    errorType: "not_found",
  },
  {
    ...request,
    requestId: "req_3",
    status: 422,
    errorType: "invalid_request",
    fields: ["attachments.0.path", "<script>alert(1)</script>"],
  },
  { ...request, requestId: "req_4", method: "<b>", path: "/api/v1/<script>alert(1)</script>", status: 503 },
];

/** Reads the HTML of a page that exists. */
export type PageReader = (target: string) => Promise<string>;

/** A site of its own for a test. */
export async function openPages(): Promise<{ site: TestSite; textOf: PageReader }> {
  const site = await openTestSite();
  onTestFinished(() => site.store.close());
  return {
    site,
    async textOf(target) {
      const { status, body } = await site.request("GET", target);
      expect(status).toBe(200);
      return String(body);
    },
  };
}
