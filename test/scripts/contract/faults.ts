import type { Asked, Fault, Given } from "./proxy.ts";

/** A fault, the requirements it breaks, and what a person must be able to read of it. */
export interface KnownFault extends Fault {
  name: string;
  /** The ids whose checks must find it. */
  ids: string[];
  /** A case in which it shows, as part of its title. */
  shownIn: string;
  expected: string;
  found: string;
  /** In how many cases it shows, where that is the point. */
  cases?: number;
}

const is = (asked: Asked, call: string): boolean =>
  `${asked.method} ${asked.path.replace("/api/v1", "")}` === call;
const field = (asked: Asked, name: string): unknown =>
  (asked.body as Record<string, unknown> | undefined)?.[name];
const isMessage = (asked: Asked): boolean => asked.method === "GET" && asked.path.includes("/emails/");

type After = NonNullable<Fault["after"]>;
type Condition = (asked: Asked, given: Given) => boolean;
const always: Condition = () => true;

/** Answers with a header that is missing or has another value. */
const header =
  (name: string, value?: string, when = always): After =>
  (given, asked) => {
    if (!when(asked, given)) return;
    delete given.headers[name];
    if (value !== undefined) given.headers[name] = value;
  };

const status =
  (from: number, to: number, when = always): After =>
  (given, asked) => {
    if (given.status === from && when(asked, given)) given.status = to;
  };

/** Answers whose text has something else in place of something. */
const text =
  (from: string | RegExp, to: string, when = always): After =>
  (given, asked) => {
    if (when(asked, given)) given.text = given.text.replaceAll(from, to);
  };

/** Answers that are replaced as a whole. */
const instead =
  (of: Partial<Given> | ((given: Given) => Partial<Given>), when: Condition): After =>
  (given, asked) => {
    if (when(asked, given)) Object.assign(given, typeof of === "function" ? of(given) : of);
  };

/** Requests in which the mock sees another value of a field. */
const seen =
  (name: string, change: (value: unknown) => unknown): NonNullable<Fault["before"]> =>
  (asked) => {
    const value = field(asked, name);
    if (value !== undefined) Object.assign(asked.body as object, { [name]: change(value) });
  };

const refusal = `{"error":{"type":"invalid_request","message":"No.","request_id":"req_1","fields":{"subject":["No."]}}}`;

/** Answers of a server that breaks one promise. */
export const answerFaults: KnownFault[] = [
  {
    name: "no request id in the header",
    ids: ["HEAD-1"],
    shownIn: "getMe 200 account",
    expected: "the header X-Service-Request-Id as documented",
    found: "no such header",
    after: header("x-service-request-id"),
  },
  {
    name: "another request id in the body",
    ids: ["ERR-5"],
    shownIn: "sendEmail 409 idempotency_conflict",
    expected: "error.request_id equal to the header X-Service-Request-Id",
    found: `"req_other" in the body`,
    after: text(/"request_id":"[^"]*"/g, `"request_id":"req_other"`),
  },
  {
    name: "a conflict answered as a bad request",
    ids: ["ERR-1"],
    shownIn: "cancelEmail 409 not_cancellable",
    expected: "status 409",
    found: "status 400",
    after: status(409, 400),
  },
  {
    name: "a send answered with 200",
    ids: ["SEND-30"],
    shownIn: "sendEmail: the example receipt is accepted",
    expected: "status 202",
    found: "status 200",
    after: status(202, 200),
  },
  {
    name: "an error type that the table does not have",
    ids: ["ERR-1", "SEND-37"],
    shownIn: "sendEmail 403 forbidden",
    expected: "error.type forbidden or send_rejected, which sendEmail lists for 403",
    found: `error.type "no_access"`,
    after: text(`"type":"forbidden"`, `"type":"no_access"`),
  },
  {
    name: "a newsletter call that fails with a type of the sends",
    ids: ["ERR-12"],
    shownIn: "upsertContact 409 idempotency_conflict",
    expected: "error.type unauthorized, forbidden",
    found: "error.type send_rejected",
    after: text("idempotency_conflict", "send_rejected", ({ path }) => path.includes("newsletter")),
  },
  {
    name: "an error that is not in an object",
    ids: ["ERR-1", "ERR-16"],
    shownIn: "getMe 429 rate_limited",
    expected: "a body with error.type, error.message and error.request_id",
    found: "/error is missing",
    after: instead(
      ({ text: whole }) => ({ text: JSON.stringify((JSON.parse(whole) as { error: unknown }).error) }),
      (_, given) => given.status >= 400,
    ),
  },
  {
    name: "fields as one text each",
    ids: ["ERR-4"],
    shownIn: "rescheduleEmail 422 invalid_request",
    expected: "a list of texts under each name in error.fields",
    found: "/error/fields/scheduled_at must be array",
    after: text(/(:)\[("[^"]*")\]/g, "$1$2"),
  },
  {
    name: "a record without its subject",
    ids: ["LOOK-5", "LOOK-1"],
    shownIn: "getEmail 2XX delivered",
    expected: "subject, a text",
    found: "/subject is missing",
    after: text(/"subject":"[^"]*",/g, "", isMessage),
  },
  {
    name: "a status that no message has",
    ids: ["DELIV-1", "LOOK-7"],
    shownIn: "getEmail 2XX sent",
    expected: "one of the ten states",
    found: "/status must be equal to one of the allowed values",
    after: text(`"status":"sent"`, `"status":"on its way"`),
  },
  {
    name: "another record than the one asked for",
    ids: ["LOOK-1"],
    shownIn: "getEmail 2XX canceled",
    expected: "the example canceled as it stands in the document",
    found: "at /from",
    after: text(/"from":"[^"]*"/g, `"from":"else@example.com"`, isMessage),
  },
  {
    name: "a time with an offset",
    ids: ["GEN-7"],
    shownIn: "sendEmail 202 scheduled",
    expected: "scheduled_at in UTC",
    found: "+01:00",
    after: text(/(T\d\d:\d\d:\d\d)Z"/g, '$1+01:00"'),
  },
  {
    name: "an id of a batch without its beginning",
    ids: ["BATCH-11"],
    shownIn: "sendBatch 2XX accepted",
    expected: "an id with sched_ in each entry",
    found: "must match pattern",
    after: text(`"id":"sched_`, `"id":"`),
  },
  {
    name: "a membership in capitals",
    ids: ["MEMB-2"],
    shownIn: "upsertContact 201 pending",
    expected: "email, an address in lower case",
    found: "/email must match pattern",
    after: text("ada@example.com", "Ada@example.com", (_, given) => given.status === 201),
  },
  {
    name: "no allowance on a send",
    ids: ["HEAD-3"],
    shownIn: "sendBatch 2XX accepted",
    expected: "the header X-Service-Monthly-Quota as documented",
    found: "no such header",
    after: header("x-service-monthly-quota"),
  },
  {
    name: "an allowance on a look-up",
    ids: ["HEAD-5"],
    shownIn: "getEmail 2XX sent",
    expected: "no X-Service-Monthly-Quota",
    found: "X-Service-Monthly-Quota",
    after: header("x-service-monthly-quota", "50000", isMessage),
  },
  {
    name: "a request limit in words",
    ids: ["HEAD-6"],
    shownIn: "listCustomFields 2XX",
    expected: "the header X-RateLimit-Limit as documented",
    found: "X-RateLimit-Limit: plenty, which must be integer",
    after: header("x-ratelimit-limit", "plenty"),
  },
  {
    name: "no word on how long to wait",
    ids: ["HEAD-8"],
    shownIn: "sendEmail 429 rate_limited",
    expected: "the header Retry-After as documented",
    found: "no such header",
    after: header("retry-after"),
  },
  {
    name: "a replay that says yes instead of true",
    ids: ["IDEM-7"],
    shownIn: "sendEmail 202 accepted",
    expected: "the header Idempotent-Replayed as documented",
    found: "Idempotent-Replayed: yes",
    after: header("idempotent-replayed", "yes", (_, given) => "idempotent-replayed" in given.headers),
  },
  {
    name: "HTML",
    ids: ["GEN-4"],
    shownIn: "getEmail 500",
    expected: "content-type: application/json",
    found: "content-type: text/html",
    after: instead(
      { headers: { "content-type": "text/html" }, text: "<p>Oops</p>" },
      (_, given) => given.status === 500,
    ),
  },
];

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
    name: "a subject must be shorter than it may be",
    ids: ["SEND-9"],
    cases: 1,
    shownIn: "a subject of 998 characters is accepted",
    expected: "success, since the request keeps to the document",
    found: "status 422",
    after: instead({ status: 422, text: refusal }, (asked) => String(field(asked, "subject")).length === 998),
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
