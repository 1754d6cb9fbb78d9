import { headers } from "../../../generated/headers.ts";
import { limits } from "../../../generated/limits.ts";
import { isObject, mapValues } from "../../../lib/objects.ts";
import {
  type Cut,
  type Disturbance,
  pause,
  type WireRequest,
  type WireResponse,
} from "./recording-server.ts";

export const json = { "content-type": "application/json" };

/** A response that the test case makes up. The body is a text, or a value that becomes JSON; default: no body. */
export function response(
  status: number,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): WireResponse {
  if (typeof body === "string") return { status, headers, body: Buffer.from(body) };
  if (body === undefined) return { status, headers, body: Buffer.alloc(0) };
  return { status, headers: { ...json, ...headers }, body: Buffer.from(JSON.stringify(body)) };
}

/** An error response with the standard error object. */
export function errorResponse(
  status: number,
  type: string,
  more: { headers?: Record<string, string>; message?: string; fields?: Record<string, string[]> } = {},
): WireResponse {
  const { headers = {}, message = "The test case made up this error.", fields } = more;
  const requestId = `req_made_up_${status}`;
  return response(status, {
    headers: { "x-service-request-id": requestId, ...headers },
    body: { error: { type, message, ...(fields && { fields }), request_id: requestId } },
  });
}

const lower = (name: keyof typeof headers): string => headers[name].name.toLowerCase();
/** The headers that the service sends with every success, and those with sends. */
const successHeaders = {
  [lower("ServiceRequestId")]: "req_made_up_success",
  [lower("RateLimitLimit")]: String(limits.requestsPerMinute),
  [lower("RateLimitRemaining")]: "100",
};
const sendHeaders = { [lower("MonthlyQuota")]: "10000", [lower("MonthlyRemaining")]: "9000" };

/** A made-up response to a request, with the headers that the service would send. */
function asService(made: WireResponse, { method, target }: WireRequest): WireResponse {
  if (made.status < 200 || made.status > 299) return made;
  const isSend = method === "POST" && /\/emails(\/batch)?$/.test(target);
  return { ...made, headers: { ...successHeaders, ...(isSend && sendHeaders), ...made.headers } };
}

/** Responds in place of the service, which does not process the request. */
export const respondsWith = (made: WireResponse, title = `responds with ${made.status}`): Disturbance => ({
  title,
  handle: async (request) => asService(made, request),
});

/** Lets the service process the request, and changes its response. */
const afterwards = (
  title: string,
  change: (own: WireResponse) => WireResponse | Cut | Promise<WireResponse>,
): Disturbance => ({ title, handle: async (_request, forward) => change(await forward()) });

/** Lets the service process the request, then responds in its place. */
export const respondsAfterwardsWith = (made: WireResponse): Disturbance =>
  afterwards(`processes the request, then responds with ${made.status}`, () => made);

export const closesBefore: Disturbance = {
  title: "closes the connection before it processes the request",
  handle: async () => ({ cut: true }),
};

export const closesAfter = afterwards(
  "processes the request, then closes the connection without a response",
  () => ({ cut: true }),
);

export const closesWithin = afterwards(
  "processes the request, then closes the connection in the middle of the response",
  (own) => ({ cut: true, within: own }),
);

/** Redirects to the same path of another host, which gets nothing of the request from the service. */
export const redirectsTo = (url: string, status: number): Disturbance => ({
  title: `responds with ${status} and a redirect to ${url}`,
  handle: async ({ target }) => response(status, { headers: { location: `${url}${target}` } }),
});

/** Processes the request at once, and responds late. */
export const slow = (milliseconds: number): Disturbance =>
  afterwards(`responds after ${milliseconds} ms`, (own) => pause(milliseconds, own));

/** Sends half of the response at once, and then nothing for long. */
export const stalls = (milliseconds: number): Disturbance =>
  afterwards(`sends half of the response, then nothing for ${milliseconds} ms`, (own) => ({
    cut: true,
    within: own,
    stalls: milliseconds,
  }));

export const unknownHeaders = { "x-service-added-later": "1; new=true", "x-added": "" };

const unknownProperties = {
  added_later: { note: "new", at: "2031-05-06T07:08:09Z" },
  added_list: [1, null, "x"],
};

/** Objects whose names come from data, such as `tags`, get none: any name there means something. */
const ofNames = new Set(["tags", "fields"]);

/** A body with unknown properties in every object. */
export function withUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknown);
  if (!isObject(value)) return value;
  const inner = mapValues(value, (one, name) =>
    ofNames.has(name) && isObject(one) ? one : withUnknown(one),
  );
  return { ...inner, ...unknownProperties };
}
