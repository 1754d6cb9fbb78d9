import type { Reply } from "../../../contract/client-suite/driver/protocol.ts";
import { documentValidators } from "../../../contract/document.ts";
import { inObjects } from "../../mutants/variants/variant.ts";
import { withHeaders, withParameter } from "../client-mutant.ts";
import { sendBySocket } from "../in-process/sockets.ts";
import { type ClientVariant, sends, sendsBody, writesBody } from "./variant.ts";

const hex = (byte: number): string => `%${byte.toString(16).padStart(2, "0")}`;
/** Each byte encoded, in lower case. */
const encodeAll = (text: string): string => Array.from(Buffer.from(text), hex).join("");
/** Encoded except for what RFC 3986 allows in a segment of a path. */
const encodeLeast = (text: string): string =>
  encodeURIComponent(text).replaceAll(/%(40|3A|2B|24|26|2C|3B|3D)/g, decodeURIComponent);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Variants with other requests. */
export const requestVariants: ClientVariant[] = [
  writesBody("pretty-prints JSON", (text) => JSON.stringify(JSON.parse(text), null, 2)),
  writesBody("escapes every character beyond ASCII, and those of HTML", (text) =>
    text.replaceAll(/[^ -~]|[<>&/]/g, escaped),
  ),
  sendsBody("sorts the properties of bodies", (body) =>
    inObjects(body, (object) =>
      Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1))),
    ),
  ),
  sendsBody("sends times as UTC", (body) =>
    inObjects(body, (object) =>
      typeof object.scheduled_at === "string" && !Number.isNaN(Date.parse(object.scheduled_at))
        ? { ...object, scheduled_at: new Date(object.scheduled_at).toISOString() }
        : object,
    ),
  ),
  sends("sends further headers, a charset, and other media types that it accepts", (request) =>
    withHeaders(request, {
      "user-agent": "email-client/7.1 (Linux)",
      "x-client-version": "7.1",
      "x-request-id": crypto.randomUUID(),
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "accept-language": "de, en;q=0.5",
      "cache-control": "no-cache",
      accept: "application/json, application/problem+json;q=0.9, */*;q=0.1",
      ...("content-type" in request.headers && { "content-type": "application/json; charset=utf-8" }),
    }),
  ),
  sends("sends a media type with bodies only, and accepts the simplest form", (request) =>
    withHeaders(request, {
      "content-type": request.body === undefined ? undefined : "application/json;charset=UTF-8",
      accept: "application/json;charset=utf-8",
    }),
  ),
  sends("percent-encodes every character of path parameters, in lower case", (_, context) =>
    withParameter(context, encodeAll),
  ),
  {
    title: "leaves @ and other characters that a path may have, on Node's own HTTP client",
    create: (context) => ({
      send: (request) => sendBySocket({ ...request, ...withParameter(context, encodeLeast) }),
    }),
  },
  {
    title: "opens a connection for each request, and sends bodies in chunks",
    create: () => {
      const options = { keepAlive: false };
      return {
        send: (request) => sendBySocket(request, { ...options, chunked: request.body !== undefined }),
      };
    },
  },
  {
    title: "rejects invalid bodies before it sends anything",
    create: () => ({
      call: (call, next): Promise<Reply> =>
        call.body === undefined || documentValidators.accepts(call.operation, call.body)
          ? next(call)
          : Promise.resolve({ error: { kind: "not sent", message: "the body is invalid" } }),
    }),
  },
];
