import fc from "fast-check";
import { methodsByPath } from "../../../generated/operations.ts";
import { keys, mail } from "../rig.ts";

/** Texts that have been trouble somewhere: prototypes, line breaks, broken pairs, templates, other people's formats. */
const odd = [
  ..."__proto__ constructor toString hasOwnProperty {{name}} {{__proto__}} {{{{ a@b <a@b.example>".split(" "),
  ..."2026-03-10T09:00:00Z 2026-02-30T25:61:61Z 9999-12-31T23:59:60+99:99 0000-00-00T00:00:00-00".split(" "),
  ..."NaN -0 cid: aGk= ==== % %00 ../.. https://169.254.169.254/ https://[::1]/ https://a.example.com:99999".split(
    " ",
  ),
  ...["", "\u0000", "a\r\nBcc: b@x.example", "\ud800", "\u202e", "a@b.example, c@d.example", "ﬀ@b.example"],
  "' OR 1=1 --",
];

/** Any JSON value, odd ones among them. */
export const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...odd) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(null, true, false, 0, -1, 1, 1e308, 5e-324, 2 ** 53, 1.5),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>("x".repeat(999), "é".repeat(129), "y".repeat(70_000)) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom<unknown>("a@b.example", 1, null, {}), { maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      fc.constantFrom(...odd, "X-A", "a"),
      fc.constantFrom<unknown>("v", 1, null, "\r\n"),
    ),
  },
);

const emails = [mail(), mail({ tags: { a: "b" }, headers: { "X-A": "b" }, cc: ["c@d.example"] })];

/** A body that is taken, by the address it is sent to. */
export const goodBodies: [method: string, path: string, body: unknown][] = [
  ["POST", "/api/v1/emails", mail({ reply_to: "a@b.example", html: "<p>", tags: { a: "b" } })],
  [
    "POST",
    "/api/v1/emails",
    mail({
      attachments: [
        { filename: "a", content: "aGk=" },
        { filename: "b", path: "https://files.example.com" },
      ],
    }),
  ],
  ["POST", "/api/v1/emails", mail({ scheduled_at: "2026-03-20T09:00:00Z" })],
  [
    "POST",
    "/api/v1/emails",
    { from: "a@bakery.example", to: ["a@b.example"], template_id: "order-ready", variables: { name: "A" } },
  ],
  ["POST", "/api/v1/emails/batch", { emails }],
  ["PATCH", "/api/v1/emails/sched_1", { scheduled_at: "2026-03-21T09:00:00Z" }],
  [
    "POST",
    "/api/v1/newsletter/contacts",
    {
      email: "a@b.example",
      list_id: 1,
      fields: { city: "x", orders: 1 },
      tags: ["a"],
      consent: { detail: "x", ip: "y" },
    },
  ],
  [
    "POST",
    "/api/v1/newsletter/contacts/subscribed%40readers.example/unsubscribe",
    { list_id: 1, reason: "x" },
  ],
];

/** Sets, takes away or adds something somewhere in a JSON value. */
export function bend(whole: unknown, path: readonly number[], change: unknown, name: string): unknown {
  if (typeof whole !== "object" || whole === null || path.length === 0) return change;
  const [first = 0, ...rest] = path;
  const entries = Object.entries(whole);
  const at = first % (entries.length + 1);
  const [key, old] = entries[at] ?? [name, undefined];
  const bent = old === undefined ? change : bend(old, rest, change, name);
  if (Array.isArray(whole)) return whole.toSpliced(at, 1, bent);
  const kept = entries.filter(([other]) => other !== key);
  // Not by assignment: `__proto__` is to be a name like any other.
  return Object.fromEntries(bent === "" && first % 2 === 0 ? kept : [...kept, [key, bent]]);
}

export const name = fc.constantFrom(
  ...odd,
  ..."subject template_id html attachments scheduled_at unknown".split(" "),
);

export const key = fc.oneof(
  { weight: 6, arbitrary: fc.constant<string>(keys.all) },
  { weight: 2, arbitrary: fc.constantFrom<string>(...Object.values(keys)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
);

const segment = fc.oneof(
  fc.constantFrom(
    "",
    "x".repeat(5000),
    ..."🦊 * .. . %2e%2e %00 %ff %252f %2F batch me emails lists".split(" "),
  ),
  fc.constantFrom(
    ..."a%40b.example subscribed%40readers.example sched_1 unsubscribe __proto__ constructor".split(" "),
  ),
  fc.string({ maxLength: 12 }),
);

const known = Object.keys(methodsByPath).map((path) =>
  path.replaceAll(/\{\w+\}/g, "subscribed%40readers.example"),
);

/** A target as it stands in a request's first line. */
export const target = fc.oneof(
  fc.constantFrom(...known),
  fc
    .tuple(fc.constantFrom(...known, "/api/v1", "/api", ""), fc.array(segment, { maxLength: 4 }))
    .map(([path, more]) => [path, ...more].join("/")),
  fc
    .tuple(fc.constantFrom(...known), fc.string({ maxLength: 30 }))
    .map(([path, query]) => `${path}?${query}`),
  fc.webAuthority().map((host) => `https://${host}/a?b#c`),
);

export const method = fc.constantFrom(
  "",
  ..."GET POST PATCH DELETE PUT HEAD OPTIONS TRACE M-SEARCH get".split(" "),
);

const first = fc.tuple(method, target).map(([httpMethod, where]) => `${httpMethod} ${where} HTTP/1.1\r\n`);

const line = fc.oneof(
  fc.constantFrom(
    "Host: localhost\r\n",
    `Authorization: Bearer ${keys.all}\r\n`,
    "Content-Length: 5\r\n",
    "Transfer-Encoding: chunked\r\n",
  ),
  fc.constantFrom(
    "Expect: 100-continue\r\n",
    "Connection: Upgrade\r\nUpgrade: websocket\r\n",
    ": \r\n",
    "X: \u0000\r\n",
    "\r\n",
  ),
  fc.string({ maxLength: 50 }).map((text) => `X-A: ${text}\r\n`),
);

/** Lines of HTTP in any order. */
const lines = fc
  .tuple(
    fc.oneof(first, fc.string({ maxLength: 50 })),
    fc.array(line, { maxLength: 6 }),
    fc.string({ maxLength: 50 }),
  )
  .map(([start, more, rest]) => Buffer.from(`${start}${more.join("")}Connection: close\r\n\r\n${rest}`));

const body = JSON.stringify(mail());
const whole = Buffer.from(
  `POST /api/v1/emails HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys.all}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
);
const chunked = Buffer.from(
  String(whole)
    .replace(/Content-Length: \d+/, "Transfer-Encoding: chunked")
    .replace(body, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`),
);

/** A request with a part replaced by other bytes. */
const changed = fc
  .tuple(
    fc.constantFrom(whole, chunked),
    fc.nat({ max: whole.length }),
    fc.nat({ max: 6 }),
    fc.oneof(fc.uint8Array({ maxLength: 6 }), fc.constantFrom(Buffer.from("\r\n"), Buffer.from("\0"))),
  )
  .map(([request, from, length, bytes]) =>
    Buffer.concat([request.subarray(0, from), bytes, request.subarray(from + length)]),
  );

/** The bytes of a connection, which are rarely valid HTTP. */
export const malformed: fc.Arbitrary<Buffer> = fc.oneof(lines, changed);
