// Faults in one property of messages at one place where they can be sent, and of one property in other requests.

import { documentValidators } from "../../contract/document.ts";
import { isObject } from "../../lib/objects.ts";
import { isBatch, isReschedule, isScheduled, isSend } from "./email.ts";
import { crashes, inEntries, inText, keyOf, takesMessage } from "./fault-support.ts";
import { type Mutant, type MutantRequest, takes } from "./mutant.ts";
import { isUnsubscribe, isUpsert, type Json, objectOf, without } from "./newsletter.ts";
import { countsOnly } from "./same-key.ts";

/** Requests that the document allows: what it does not allow is rejected as before. */
const isAllowed = ({ method, path, body }: MutantRequest): boolean =>
  method === "POST" && documentValidators.accepts(path.endsWith("/batch") ? "sendBatch" : "sendEmail", body);

const hasTemplate = (message: Json): boolean => "template_id" in message;

/** The places of a message, and the properties that it can have there. */
const places: Record<string, (message: Json, request: MutantRequest) => boolean> = {
  "a scheduled message": (message, request) => isScheduled(request) && !hasTemplate(message),
  "a scheduled message from a template": (message, request) => isScheduled(request) && hasTemplate(message),
  "a single message from a template": (message, request) =>
    isSend(request) && !isScheduled(request) && hasTemplate(message),
  "a batch message from a template": (message, request) => isBatch(request) && hasTemplate(message),
  "a batch message": (message, request) => isBatch(request) && !hasTemplate(message),
};

const properties = {
  reply_to: "SEND-17",
  headers: "SEND-24",
  cc: "SEND-18",
  bcc: "SEND-19",
  attachments: "ATT-1",
  html: "SEND-11",
  text: "SEND-12",
  variables: "SEND-16",
} as const;

type Name = keyof typeof properties;

/** Whether a message can do without it: of two bodies, one is enough. */
const isOptional = (name: Name, message: Json): boolean =>
  name === "html" ? "text" in message : name === "text" ? "html" in message : true;

const isThere = (name: Name, place: string): boolean => {
  if (name === "attachments") return !place.includes("batch");
  if (name === "variables") return place.includes("template");
  return !(place.includes("template") && (name === "html" || name === "text"));
};

const lost = (Object.keys(properties) as Name[]).flatMap((name) =>
  Object.entries(places)
    .filter(([place]) => isThere(name, place))
    .map(
      ([place, isThis]): Mutant =>
        takesMessage(properties[name], `${name} of ${place} is lost`, (message, _, request) =>
          isThis(message, request) && isAllowed(request) && isOptional(name, message)
            ? without(message, name)
            : message,
        ),
    ),
);

/** A property of the messages of a batch that have one is that of the first one. */
const shared = (["html", "text", "reply_to", "headers", "variables"] as const).map((name): Mutant => {
  let first: unknown;
  return takesMessage(
    properties[name],
    `${name} of a batch is that of its first message`,
    (message, index, request) => {
      if (!isBatch(request) || !isAllowed(request)) return message;
      if (index === 0) first = undefined;
      first ??= message[name];
      return name in message ? { ...message, [name]: first } : message;
    },
  );
});

const lastHeader = inEntries("headers", (all) => (all.length === 10 ? all.slice(0, 9) : all));

const others = [
  takesMessage("SEND-24", "the tenth header is lost if there is a reply_to", (message, _, request) =>
    isAllowed(request) && "reply_to" in message ? lastHeader(message) : message,
  ),
  takesMessage(
    "LOOK-5",
    "an encoded word in a subject is decoded",
    inText("subject", (text) => text.replace(/=\?[\w-]+\?[qb]\?([^?]*)\?=/gi, "$1")),
  ),
  takesMessage(
    "LOOK-6",
    "an encoded word in a tag value is decoded",
    inEntries("tags", (tags) =>
      tags.map(([name, value]) => [
        name,
        typeof value === "string" ? value.replace(/=\?[\w-]+\?[qb]\?([^?]*)\?=/gi, "$1") : value,
      ]),
    ),
  ),
];

const isCharset = ({ headers }: MutantRequest): boolean =>
  /charset=utf-8/i.test(headers["content-type"] ?? "");

const operations: Record<string, (request: MutantRequest) => boolean> = {
  "a send": isSend,
  "a batch": isBatch,
  "a reschedule": isReschedule,
  "a contact": isUpsert,
  "an unsubscribe": isUnsubscribe,
};

const charsets = Object.entries(operations).map(([what, applies]) =>
  crashes(
    "ERR-13",
    `${what} with a charset in its media type ends in a 500`,
    (request) => applies(request) && isCharset(request),
  ),
);

const nullIn: Record<string, (request: MutantRequest) => boolean> = Object.fromEntries([
  ...[
    "html",
    "template_id",
    "variables",
    "reply_to",
    "cc",
    "bcc",
    "tags",
    "headers",
    "attachments",
    "scheduled_at",
  ].map(
    (name) =>
      [
        `${name} of a send`,
        (one: MutantRequest) => isSend(one) && objectOf(one.body)[name] === null,
      ] as const,
  ),
  ...["html", "variables", "reply_to", "cc", "tags", "headers"].map(
    (name) =>
      [
        `${name} of a batch message`,
        (one: MutantRequest) => {
          const { emails } = objectOf(one.body);
          return (
            isBatch(one) &&
            Array.isArray(emails) &&
            emails.some((message) => objectOf(message)[name] === null)
          );
        },
      ] as const,
  ),
  ...["content", "path", "content_id", "content_type"].map(
    (name) =>
      [
        `${name} of a file`,
        (one: MutantRequest) => {
          const { attachments } = objectOf(one.body);
          return (
            isSend(one) &&
            Array.isArray(attachments) &&
            attachments.some((file) => objectOf(file)[name] === null)
          );
        },
      ] as const,
  ),
  ...["first_name", "last_name", "fields", "tags", "consent"].map(
    (name) =>
      [
        `${name} of a contact`,
        (one: MutantRequest) => isUpsert(one) && objectOf(one.body)[name] === null,
      ] as const,
  ),
  ...["detail", "ip", "user_agent"].map(
    (name) =>
      [
        `${name} of a consent`,
        (one: MutantRequest) => {
          const { consent } = objectOf(one.body);
          return isUpsert(one) && isObject(consent) && consent[name] === null;
        },
      ] as const,
  ),
  ...["list_id", "reason"].map(
    (name) =>
      [
        `${name} of an unsubscribe`,
        (one: MutantRequest) => isUnsubscribe(one) && objectOf(one.body)[name] === null,
      ] as const,
  ),
]);

const nulls = Object.entries(nullIn).map(([what, applies]) =>
  crashes("ERR-13", `null as ${what} ends in a 500`, applies),
);

/** Bodies that differ in one property only are taken for the same. */
const uncompared = [
  ...[
    "from",
    "to",
    "cc",
    "bcc",
    "reply_to",
    "html",
    "headers",
    "attachments",
    "scheduled_at",
    "variables",
  ].map((name) => countsOnly(`${name} is not compared for a send`, isSend, (body) => without(body, name))),
  ...["cc", "reply_to", "headers", "html", "tags"].map((name) =>
    countsOnly(`${name} is not compared for a batch`, isBatch, (body) =>
      (Array.isArray(body.emails) ? body.emails : []).map((one) => without(objectOf(one), name)),
    ),
  ),
  ...["last_name", "fields", "tags", "consent", "list_id"].map((name) =>
    countsOnly(`${name} is not compared for a contact`, isUpsert, (body) => without(body, name)),
  ),
  ...["detail", "ip", "user_agent"].map((name) =>
    countsOnly(`${name} of a consent is not compared`, isUpsert, (body) => ({
      ...body,
      consent: without(objectOf(body.consent), name),
    })),
  ),
];

const ofOneCase = (["a send", "a batch", "a contact"] as const).map(
  (what): Mutant =>
    takes("IDEM-4", `the idempotency key of ${what} is read in lower case`, (request) => {
      const key = keyOf(request);
      return key !== undefined && operations[what]?.(request) === true
        ? { ...request, headers: { ...request.headers, "idempotency-key": key.toLowerCase() } }
        : request;
    }),
);

export const contentMutants: Mutant[] = [
  ...lost,
  ...shared,
  ...others,
  ...charsets,
  ...nulls,
  ...uncompared,
  ...ofOneCase,
];
