import { domainToASCII } from "node:url";
import type { MutantRequest } from "../mutant.ts";
import { isObject, type Json, pathOf, type Variant } from "./variant.ts";

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
