import { type ClientMutant, violating } from "./client-mutant.ts";
import type { SentRequest } from "./difference.ts";
import { withHeaders } from "./requests.ts";

const gen3 = violating("GEN-3");

/** Requests with another header Content-Type. */
const hasType = (title: string, type: string | undefined): ClientMutant =>
  gen3.sends(title, (request) =>
    request.body === undefined ? undefined : withHeaders(request, { "content-type": type }),
  );

/** Requests with a body that is written in another way. */
const writes = (
  title: string,
  write: (text: string, request: SentRequest) => string | Buffer,
  type?: string,
): ClientMutant =>
  gen3.sends(title, (request) =>
    request.body === undefined
      ? undefined
      : {
          body: write(request.body.toString(), request),
          ...(type !== undefined && withHeaders(request, { "content-type": type })),
        },
  );

const formOf = (text: string): string =>
  new URLSearchParams(
    Object.entries(JSON.parse(text) as object).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  ).toString();

/** How bodies are written. */
export const bodyMutants = [
  hasType("sends bodies without a media type", undefined),
  hasType("sends bodies as text", "text/plain;charset=UTF-8"),
  hasType("sends bodies with a media type of its own", "application/vnd.email+json"),
  hasType("sends bodies as a form by their media type", "application/x-www-form-urlencoded"),
  gen3.sends("reschedules with the media type of a merge patch", (request) =>
    request.method === "PATCH"
      ? withHeaders(request, { "content-type": "application/merge-patch+json" })
      : undefined,
  ),
  writes("sends bodies as a form", formOf, "application/x-www-form-urlencoded"),
  writes("sends bodies as a JSON string with JSON in it", (text) => JSON.stringify(text)),
  writes("sends bodies in Latin-1", (text) => Buffer.from(text, "latin1")),
  writes("sends bodies in UTF-16", (text) => Buffer.from(text, "utf16le")),
  writes("starts bodies with a byte order mark", (text) => `\uFEFF${text}`),
  writes("replaces characters beyond ASCII with question marks", (text) => text.replaceAll(/[^ -~]/gu, "?")),
  writes("drops the second half of emoji", (text) => text.replaceAll(/[\uDC00-\uDFFF]/g, "")),
  writes("puts bodies in an array", (text) => `[${text}]`),
  writes("puts bodies in an object", (text) => `{"data":${text}}`),
  writes("ends bodies with a comma", (text) => text.replace(/}$/, ",}")),
  gen3.sends("sends an empty object with each cancellation", (request) =>
    request.method === "DELETE" ? { body: "{}" } : undefined,
  ),
  gen3.sends("sends no body with a reschedule", ({ method }) =>
    method === "PATCH" ? { body: undefined } : undefined,
  ),
];
