import { randomUUID } from "node:crypto";
import { domainToASCII } from "node:url";
import { limits } from "../../../generated/limits.ts";
import type { MutantRequest, MutantResponse } from "../mutant.ts";
import {
  changeEveryResponse,
  errorIn,
  errorResponse,
  isObject,
  isSend,
  type Json,
  pathOf,
  type Variant,
  withError,
} from "./variant.ts";

/** A variant that only changes requests. A value that it does not accept becomes one that the sandbox rejects in the same place. */
const changeEveryRequest = (title: string, change: (request: MutantRequest) => MutantRequest): Variant => ({
  title,
  intercept: () => (request, next) => next(change(request)),
});

/** The request with each message of its body changed: of a send, a batch or a change of the time. */
const withMessages = (request: MutantRequest, change: (message: Json) => Json): MutantRequest => {
  const { body, path } = request;
  if (!/\/emails(\/|$)/.test(path) || !isObject(body)) return request;
  if (!Array.isArray(body.emails)) return { ...request, body: change(body) };
  const emails = body.emails.map((message) => (isObject(message) ? change(message) : message));
  return { ...request, body: { ...body, emails } };
};

/** The object with some of its properties changed, in their place. */
const mapProperties = (object: Json, change: (value: unknown, name: string) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

/** A time without an offset is invalid anyway. */
const isRfc3339 = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) || !/T.*(Z|[+-][\d:]+)$/.test(text);

const isUnsubscribe = (request: MutantRequest): boolean =>
  request.method === "POST" && /\/unsubscribe$/.test(pathOf(request));

/** A text, or each text of a list. */
const eachText = (value: unknown, change: (text: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((entry) => eachText(entry, change));
  return typeof value === "string" ? change(value) : value;
};

/** An email address with its domain in ASCII (RFC 5890); other texts as they are. */
const inAscii = (address: string): string =>
  address.replace(/(?<=@)[^@]*\P{ASCII}[^@]*$/u, (domain) => domainToASCII(domain) || domain);

/** Base64 with line breaks or in the URL-safe alphabet as RFC 4648, section 4, without them; other texts as they are. */
const asBase64 = (text: string): string =>
  /^([\w\r\n-]+|[A-Za-z0-9+/\r\n]+)=*[\r\n]*$/.test(text) && /[\r\n_-]/.test(text)
    ? Buffer.from(text, "base64").toString("base64")
    : text;

const addresses = ["from", "to", "cc", "bcc", "reply_to", "email"];

const withUsualForms = (object: Json): Json =>
  mapProperties(object, (value, name) => {
    if (addresses.includes(name)) return eachText(value, inAscii);
    if (name !== "attachments" || !Array.isArray(value)) return value;
    return value.map((attachment) =>
      isObject(attachment)
        ? mapProperties(attachment, (inner, own) => (own === "content" ? eachText(inner, asBase64) : inner))
        : attachment,
    );
  });

/** Without properties that are null; null is a value of a custom field and of a variable. */
const withoutNulls = (object: Json): Json =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

/** Variants that accept more or fewer requests. */
export const requestVariants: Variant[] = [
  changeEveryRequest("accepts times in the form of RFC 3339 only", (request) =>
    withMessages(request, (message) =>
      mapProperties(message, (value, name) =>
        name === "scheduled_at" ? eachText(value, (text) => (isRfc3339(text) ? text : "not a time")) : value,
      ),
    ),
  ),
  changeEveryRequest("rejects unsubscribing without a body", (request) =>
    isUnsubscribe(request) && request.body === undefined && request.text === undefined
      ? { ...request, headers: { ...request.headers, "content-type": "application/json" }, body: [] }
      : request,
  ),
  changeEveryRequest("accepts null for optional properties, and empty texts", (request) => {
    const { body, path } = request;
    if (/\/contacts$/.test(path) && isObject(body)) return { ...request, body: withoutNulls(body) };
    return withMessages(request, (message) =>
      mapProperties(withoutNulls(message), (value, name) =>
        ["subject", "html", "text"].includes(name) && value === "" ? " " : value,
      ),
    );
  }),
  changeEveryRequest("accepts domains beyond ASCII, and base64 of other forms", (request) => {
    const { body, path } = request;
    if (/\/contacts$/.test(path) && isObject(body)) return { ...request, body: withUsualForms(body) };
    return withMessages(request, withUsualForms);
  }),
];

/** The index of the message of a batch that is rejected because its recipients are suppressed. */
function suppressedMessage(response: MutantResponse): number | undefined {
  const { type, message } = errorIn(response) ?? {};
  const [, index] = /^emails\.(\d+): Sending to every recipient/.exec(String(message)) ?? [];
  return type === "send_rejected" && index !== undefined ? Number(index) : undefined;
}

/** Variants that reject in another way if the status or the type is unspecified, or do not reject. */
export const rejectionVariants: Variant[] = [
  changeEveryResponse("says that a body is missing if the only one is invalid", (response, request) => {
    const { fields } = errorIn(response) ?? {};
    if (!isObject(fields)) return response;
    const others = Object.keys(fields).flatMap((name) => {
      const [, start = "", index = "", which = ""] = /^((?:emails\.(\d+)\.)?)(html|text)$/.exec(name) ?? [];
      const { emails } = isObject(request.body) ? request.body : {};
      const message = index === "" ? request.body : (emails as unknown[])[Number(index)];
      const other = which === "html" ? "text" : "html";
      return which !== "" && isObject(message) && !(other in message) ? [`${start}${other}`] : [];
    });
    const added = Object.fromEntries(others.map((name) => [name, ["Is required without a valid body."]]));
    return others.length === 0 ? response : withError(response, { fields: { ...fields, ...added } });
  }),
  {
    title: "names the first message for a domain that no message of a batch may use",
    intercept: (context) => async (request, next) => {
      const response = await next(request);
      const { emails } = isObject(request.body) ? request.body : {};
      const isOfAll =
        request.headers.authorization === context.bearer("noDomain") ||
        (Array.isArray(emails) && emails.length === 1);
      const isRejected = errorIn(response)?.type === "send_rejected" && [403, 422].includes(response.status);
      return isOfAll && isRejected && pathOf(request).endsWith("/batch")
        ? withError(response, { fields: { "emails.0.from": ["The account cannot send from this domain."] } })
        : response;
    },
  },
  {
    title: "accepts a message of a batch whose recipients are all suppressed",
    intercept: () => (request, next) => {
      const { headers } = request;
      // Its own replays would have to be remembered here.
      if (headers["idempotency-key"] !== undefined) return next(request);
      const accepted = async (messages: Json[], response: MutantResponse): Promise<MutantResponse> => {
        const index = suppressedMessage(response);
        if (index === undefined || messages.length === 1) return response;
        const emails = messages.toSpliced(index, 1);
        const others = await accepted(emails, await next({ ...request, headers, body: { emails } }));
        if (!isObject(others.body) || !Array.isArray(others.body.data)) return others;
        const { to, cc = [], bcc = [] } = messages[index] ?? {};
        const entry = { id: `sched_${randomUUID()}`, suppressed: [to, cc, bcc].flat() };
        return { ...others, body: { ...others.body, data: others.body.data.toSpliced(index, 0, entry) } };
      };
      const { emails = [] } = isObject(request.body) ? request.body : {};
      return next(request).then((response) => accepted(emails as Json[], response));
    },
  },
  {
    title: "rejects a too long idempotency key with 400",
    intercept: () => async (request, next) => {
      const response = await next(request);
      const isTooLong = (request.headers["idempotency-key"]?.length ?? 0) > limits.idempotencyKeyLength;
      if (!isTooLong || response.status !== 422) return response;
      // The types of newsletter operations are specified.
      return errorResponse(response, 400, isSend(request) ? "key_too_long" : "invalid_request");
    },
  },
  {
    title: "rejects a body that is not JSON and an unknown template with 400 invalid_request",
    intercept: () => async (request, next) => {
      const response = await next(request);
      const isUnreadable = request.text !== undefined || request.body === undefined;
      const isRejected = response.status === 422 && errorIn(response)?.type === "invalid_request";
      const template = isObject(request.body) ? String(request.body.template_id) : "";
      return isRejected && (isUnreadable || /^(no-template|draft)/.test(template))
        ? { ...response, status: 400 }
        : response;
    },
  },
  {
    title: "rejects an unknown template with 404",
    intercept: () => async (request, next) => {
      const response = await next(request);
      const { type, fields = {} } = errorIn(response) ?? {};
      const [name = "", ...others] = Object.keys(fields as Json);
      const [, index] = /^(?:emails\.(\d+)\.)?template_id$/.exec(name) ?? ["", "none"];
      const { body } = request;
      if (type !== "invalid_request" || others.length > 0 || index === "none" || !isObject(body))
        return response;
      const message = index === undefined ? body : (body.emails as Json[])[Number(index)];
      return typeof message?.template_id === "string" ? errorResponse(response, 404, "not_found") : response;
    },
  },
  {
    title: "rejects every email operation of an account without a domain with 403",
    intercept: (context) => async (request, next) => {
      const response = await next(request);
      const isSingle = /^\/api\/v1\/emails\/(?!batch$)[^/]+$/.test(pathOf(request));
      const { authorization } = request.headers;
      return isSingle &&
        authorization === context.bearer("noDomain") &&
        [200, 404, 409].includes(response.status)
        ? errorResponse(response, 403, "forbidden")
        : response;
    },
  },
  {
    title: "rejects a malformed email address in a path with 422",
    intercept: () => async (request, next) => {
      const response = await next(request);
      const [, email = ""] = /\/contacts\/([^/]+)/.exec(pathOf(request)) ?? [];
      const isMalformed = email !== "" && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(decoded(email));
      return isMalformed && response.status === 404 && errorIn(response)?.type === "not_found"
        ? errorResponse(response, 422, "invalid_request", { email: ["Must be an email address."] })
        : response;
    },
  },
];

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
