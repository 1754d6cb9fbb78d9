import fc from "fast-check";
import { keys, mail } from "../rig.ts";
import { method, target } from "./values.ts";

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
