import { violating } from "./client-mutant.ts";
import type { ReceivedResponse } from "./difference.ts";

const gen4 = violating("GEN-4");
const message = violating("LOOK-1");
const large = violating("LOOK-15");

const statuses = (
  title: string,
  requirement: Parameters<typeof violating>[0],
  isRejected: (status: number) => boolean,
) =>
  violating(requirement).receives(title, ({ status }) =>
    status < 300 && isRejected(status) ? { status: 500, body: Buffer.from("") } : undefined,
  );

const asText =
  (change: (text: string) => string) =>
  ({ body }: ReceivedResponse) => ({
    body: Buffer.from(change(body.toString())),
  });

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}

/** How responses are read. */
export const responseMutants = [
  message.receives("reads responses in Latin-1", ({ body }) => ({
    body: Buffer.from(body.toString("latin1")),
  })),
  message.receives(
    "reads responses as ASCII",
    asText((text) => text.replaceAll(/[^ -~\s]/gu, "?")),
  ),
  large.receives("reads the first 16 KiB of a response", ({ body }) => ({ body: body.subarray(0, 16_384) })),
  large.receives("reads the first 64 KiB of a response", ({ body }) => ({ body: body.subarray(0, 65_536) })),
  large.receives("reads the first megabyte of a response", ({ body }) => ({
    body: body.subarray(0, 1_000_000),
  })),
  violating("SEND-32").receives(
    "keeps escapes of JSON in strings",
    asText((text) => text.replaceAll(/\\(?!["\\])/g, "\\\\")),
  ),
  gen4.receives("takes a success that is not JSON for an empty object", ({ status, body }) =>
    status < 300 && !isJson(body) ? { body: Buffer.from("{}") } : undefined,
  ),
  gen4.receives("reads a response with a charset as no JSON", ({ headers, status }) =>
    status < 300 && /charset/i.test(headers.get("content-type") ?? "")
      ? { body: Buffer.from("text") }
      : undefined,
  ),
  statuses("takes a 201 for an error", "LOOK-1", (status) => status === 201),
  statuses("takes a 200 for an error", "LOOK-1", (status) => status === 200),
  statuses("takes a 202 for an error", "SEND-31", (status) => status === 202),
  statuses("takes a 203 for an error", "LOOK-1", (status) => status === 203),
  statuses(
    "takes each 2xx that the document does not name for an error",
    "LOOK-1",
    (status) => ![200, 201, 202, 204].includes(status),
  ),
];
