import { instead, is, type KnownFault, seen, status } from "./changes.ts";

/** Requests that a server treats otherwise than the document says. */
export const requestFaults: KnownFault[] = [
  {
    name: "a subject may have any length",
    ids: ["SEND-9"],
    cases: 1,
    shownIn: "a subject of 999 characters is refused",
    expected: "status 422, since the request breaks a rule",
    found: "status 202",
    before: seen("subject", (subject) => String(subject).slice(0, 998)),
  },
  {
    name: "the from address may have a display name",
    ids: ["SEND-3"],
    shownIn: `"Ada <ada@example.com>" as from is refused`,
    expected: "status 422",
    found: "status 202",
    before: seen("from", (from) => /<(.*)>/.exec(String(from))?.[1] ?? from),
  },
  {
    name: "a batch takes one message more",
    ids: ["BATCH-3"],
    shownIn: "emails with 101 entries is refused",
    expected: "status 422",
    found: "status 200",
    before: seen("emails", (emails) => (Array.isArray(emails) ? emails.slice(0, 100) : emails)),
  },
  {
    name: "a list may be named by a text",
    ids: ["CONT-6"],
    shownIn: "a text as list_id is refused",
    expected: "status 422",
    found: "status 200",
    before: seen("list_id", (id) => (typeof id === "string" ? Number(id) : id)),
  },
  {
    name: "an idempotency key may have any length",
    ids: ["IDEM-4"],
    shownIn: "an Idempotency-Key of 257 characters is refused",
    expected: "status 422",
    found: "status 202",
    before: ({ headers }) => {
      const key = headers["idempotency-key"];
      if (typeof key === "string") headers["idempotency-key"] = key.slice(0, 256);
    },
  },
  {
    name: "a malformed request is answered in another form",
    ids: ["SEND-2"],
    shownIn: "a body without from is refused",
    expected: "a body with error.type, error.message and error.request_id",
    found: "/error is missing",
    after: instead({ text: `{"title":"Bad request"}` }, (_, given) => given.status === 422),
  },
  {
    name: "nobody needs a key",
    ids: ["AUTH-12"],
    shownIn: "sendEmail",
    expected: "status 401",
    found: "status 202",
    before: ({ headers }) => {
      headers.authorization ??= "Bearer of-the-server";
    },
  },
  {
    name: "a good key is turned away",
    ids: ["AUTH-1"],
    shownIn: "listNewsletterLists",
    expected: "success",
    found: "status 401",
    after: status(200, 401, (asked) => is(asked, "GET /newsletter/lists")),
  },
];
