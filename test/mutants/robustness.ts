// Independent faults, kind 4: what comes below the schema ends in a 5xx or changes a state.

import { isObject } from "../../lib/objects.ts";
import { idOf, isBatch, isCancel, isMessageLookup, isReschedule, isSend, stateful } from "./email.ts";
import {
  crash,
  crashes,
  decoded,
  isAnySend,
  isIdempotent,
  keyOf,
  mapMessages,
  pathOf,
  withBody,
} from "./fault-support.ts";
import { type Mutant, type MutantRequest, shows, takes } from "./mutant.ts";
import { emailOf, isContactLookup, isUnsubscribe, isUpsert, listOf, objectOf, textOf } from "./newsletter.ts";
import { sentMessages } from "./requests.ts";

const partOf = (request: MutantRequest): string =>
  pathOf(request).split("/")[isAboutAContact(request) ? 5 : 4] ?? "";
const isAboutAContact = (request: MutantRequest): boolean =>
  pathOf(request).includes("/newsletter/contacts/");
const isAboutAMessage = (request: MutantRequest): boolean =>
  /^\/api\/v1\/emails\/(?!batch$)[^/]+$/.test(pathOf(request));
/** Whether a part of a path cannot be decoded. */
function isBroken(part: string): boolean {
  try {
    decodeURIComponent(part);
    return false;
  } catch {
    return true;
  }
}
const hasLoneSurrogate = (value: unknown): boolean =>
  typeof value === "string"
    ? !value.isWellFormed()
    : typeof value === "object" && value !== null && Object.entries(value).flat().some(hasLoneSurrogate);
/** How deep the lists and objects of a value are nested, without recursion. */
function depthOf(value: unknown): number {
  let depth = 0;
  let level: unknown[] = [value];
  while (level.length > 0 && depth < 10_000) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    depth += 1;
  }
  return depth;
}
const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;
const hasBody = (request: MutantRequest): boolean => request.body !== undefined || request.text !== undefined;
const typeOf = (request: MutantRequest): string => request.headers["content-type"] ?? "";
const isPost = ({ method }: MutantRequest): boolean => method === "POST";
const known =
  /^\/api\/v1\/(emails|emails\/batch|emails\/[^/]+|me|newsletter\/(lists|fields|contacts(\/[^/]+(\/unsubscribe)?)?))$/;
const isKnown = (request: MutantRequest): boolean => known.test(pathOf(request));

/** What ends in an unhandled exception. */
const crashing: Record<string, (request: MutantRequest) => boolean> = {
  // Source: TryGhost/Ghost#9279 (a path that cannot be decoded)
  "a broken percent sequence in the id of a message ends in a 500": (request) =>
    isAboutAMessage(request) && isBroken(partOf(request)),
  // Source: flipt-io/flipt#6337 (bytes that are not UTF-8)
  "bytes that are not UTF-8 in the email address of a path end in a 500": (request) =>
    isAboutAContact(request) && isBroken(partOf(request)),
  // Source: vercel/next.js#62775, mozilla/addons#13958 (a percent sign before the router)
  "a percent sign without digits in an unknown path ends in a 500": (request) =>
    /%(?![0-9a-f]{2})/i.test(pathOf(request)) && !isAboutAMessage(request) && !isAboutAContact(request),
  // Source: kubo39/bossan#12 (a query that cannot be decoded)
  "a broken percent sequence in a query ends in a 500": (request) =>
    isBroken(request.path.split("?")[1] ?? ""),
  // Source: vapor/postgres-nio#52, open-metadata/OpenMetadata#31120 (the null character)
  "a null character in the id of a message ends in a 500": (request) =>
    isAboutAMessage(request) && /%00/.test(partOf(request)),
  "a null character in the email address of an unsubscribe ends in a 500": (request) =>
    isUnsubscribe(request) && /%00/.test(partOf(request)),
  // Source: from experience (an index over a column of keys)
  "an API key of more than 1,024 characters ends in a 500": ({ headers }) =>
    (headers.authorization ?? "").length > 1_024,
  // Source: from experience (a column of 255 characters)
  "an id of more than 255 characters ends in a 500": (request) =>
    isAboutAMessage(request) && idOf(request).length > 255,
  // Source: from experience (illegal mix of collations)
  "a character beyond the BMP in the email address of a path ends in a 500": (request) =>
    isAboutAContact(request) && /[\u{10000}-\u{10ffff}]/u.test(decoded(partOf(request))),
  // Source: usnistgov/ACVP#921 (an encoded apostrophe)
  "an apostrophe in the email address of a path ends in a 500": (request) =>
    isAboutAContact(request) && decoded(partOf(request)).includes("'"),
  // Source: from experience (the serializer of the job queue)
  "half a surrogate pair in a message ends in a 500": (request) =>
    isAnySend(request) && hasLoneSurrogate(request.body),
  // Source: kirodotdev/KiroCrew#5575 (entries of lists that are no objects)
  "null as an entry of `to` ends in a 500": (request) =>
    sentMessages(request).some(({ to }) => listOf(to).includes(null)),
  // Source: kirodotdev/KiroCrew#5575
  "a scalar as a message of a batch ends in a 500": (request) =>
    isBatch(request) && listOf(objectOf(request.body).emails).some(isScalar),
  // Source: kirodotdev/KiroCrew#5575
  "a scalar as an attachment ends in a 500": (request) =>
    isSend(request) && listOf(objectOf(request.body).attachments).some(isScalar),
  // Source: from experience (a list where an object is expected)
  "a list as the tags of a message ends in a 500": (request) =>
    sentMessages(request).some(({ tags }) => Array.isArray(tags)),
  // Source: from experience (a text where an object is expected)
  "a text as the consent of a contact ends in a 500": (request) =>
    isUpsert(request) && typeof objectOf(request.body).consent === "string",
  // Source: from experience (integer out of range in PostgreSQL)
  "a list id beyond 32 bits ends in a 500": (request) =>
    (isUpsert(request) || isUnsubscribe(request)) &&
    Math.abs(Number(objectOf(request.body).list_id ?? 0)) > 2_147_483_647,
  // Source: nestjs/nest#17809, FasterXML/jackson-databind#2861
  "a body that is nested deeper than 32 levels ends in a 500": (request) => depthOf(request.body) > 32,
  // Source: flop-labs/technocore-chat#130 (nesting in a part that nobody reads)
  "template variables that are nested deeper than ten levels end in a 500": (request) =>
    sentMessages(request).some(({ variables }) => depthOf(variables) > 10),
  // Source: n8n-io/n8n#35933, fastify/secure-json-parse#5 (applies if the byte order mark reaches the interceptor)
  "a body with a byte order mark ends in a 500": ({ text }) => text?.startsWith("\ufeff") === true,
  // Source: from experience (an exception of the parser that nobody catches)
  "a body that ends in the middle ends in a 500": ({ text }) => text !== undefined && /^\s*[{[]/.test(text),
  // Source: kirodotdev/KiroCrew#5575 (a body that is JSON, but no object)
  "a body that is null, a number or a text ends in a 500": (request) =>
    isPost(request) && request.body !== undefined && isScalar(request.body),
  // Source: smithy-lang/smithy-rs#3471 (an unknown charset)
  "an unknown charset in the media type ends in a 500": (request) =>
    /charset=(?!"?utf-?8)/i.test(typeOf(request)),
  // Source: openethereum/parity-ethereum#10072 (media types compared with their case)
  "a media type in capitals ends in a 500": (request) =>
    /^application\/json/i.test(typeOf(request)) && !typeOf(request).startsWith("application/json"),
  // Source: from experience (a body that the handler does not expect)
  "a cancellation with a body ends in a 500": (request) => isCancel(request) && hasBody(request),
  // Source: cloudera/squeasel#15
  "OPTIONS ends in a 500": ({ method }) => method === "OPTIONS",
  // Source: EdiWang/Moonglade#187, ForNeVeR/fornever.me#37 (HEAD)
  "HEAD of a message ends in a 500": (request) => request.method === "HEAD" && isAboutAMessage(request),
  // Source: from experience (a key is part of the name in a cache)
  "an idempotency key with a colon, a slash or a blank ends in a 500": (request) =>
    isIdempotent(request) && /[:/ ]/.test(keyOf(request) ?? ""),
  // Source: from experience (the second part of a header that has one)
  "an Authorization header with nothing but its scheme ends in a 500": ({ headers }) =>
    /^\S+\s*$/.test(headers.authorization ?? "-- --"),
  // Source: from experience (base64 of Basic credentials)
  "credentials of the scheme Basic end in a 500": ({ headers }) =>
    /^basic /i.test(headers.authorization ?? ""),
  // Source: from experience (a query parser that returns objects)
  "a query with brackets in a name ends in a 500": (request) => /\?.*(\[|%5b)/i.test(request.path),
  // Source: from experience (an email address in a path without an at sign)
  "a path with something that is no email address ends in a 500": (request) =>
    isContactLookup(request) && !emailOf(request).includes("@") && !isBroken(partOf(request)),
  // Source: cachethq/cachet#1201, from experience (tags as a text)
  "a text as the tags of a contact ends in a 500": (request) =>
    isUpsert(request) && typeof objectOf(request.body).tags === "string",
  // Source: from experience (a list as an object of custom fields)
  "a list as the custom fields of a contact ends in a 500": (request) =>
    isUpsert(request) && Array.isArray(objectOf(request.body).fields),
  // Source: TryGhost/Ghost#29463 (a key that objects inherit)
  "a custom field named as an inherited property ends in a 500": (request) =>
    isUpsert(request) && Object.keys(objectOf(objectOf(request.body).fields)).some((key) => key in {}),
  // Source: from experience (texts are encoded for a URL, or bound for PostgreSQL, in one place only)
  ...Object.fromEntries(
    Object.entries({
      "a template variable": (request: MutantRequest) => sentMessages(request).map((one) => one.variables),
      "the value of a header": (request: MutantRequest) => sentMessages(request).map((one) => one.headers),
      "the last name of a contact": (request: MutantRequest) => objectOf(request.body).last_name,
      "a consent": (request: MutantRequest) => objectOf(request.body).consent,
      "a custom field": (request: MutantRequest) => objectOf(request.body).fields,
    }).flatMap(([place, read]) => [
      [
        `half a surrogate pair in ${place} ends in a 500`,
        (request: MutantRequest) => hasLoneSurrogate(read(request)),
      ],
      [
        `a null character in ${place} ends in a 500`,
        (request: MutantRequest) => JSON.stringify(read(request) ?? null).includes("\\u0000"),
      ],
    ]),
  ),
  // Source: from experience (the negotiation of one controller)
  ...Object.fromEntries(
    Object.entries({ isMessageLookup, isContactLookup, isReschedule, isCancel, isUnsubscribe, isBatch }).map(
      ([name, isOne]) => [
        `weights in Accept end in a 500: ${name.slice(2).toLowerCase()}`,
        (request: MutantRequest) => isOne(request) && (request.headers.accept ?? "").includes(";q="),
      ],
    ),
  ),
  // Source: from experience (a query is decoded by one controller)
  "a broken percent sequence in the query of a message ends in a 500": (request) =>
    isAboutAMessage(request) && isBroken(request.path.split("?")[1] ?? ""),
  "brackets in the query of a contact end in a 500": (request) =>
    isAboutAContact(request) && /\?.*\[/.test(request.path),
  "a null character in the query of the custom fields ends in a 500": (request) =>
    pathOf(request).endsWith("/newsletter/fields") && /%00/.test(request.path),
};

export const robustnessMutants: Mutant[] = [
  ...Object.entries(crashing).map(([title, applies]) => crashes("ERR-13", title, applies)),
  // Source: from experience (entries are turned into texts before they are checked)
  takes("CONT-15", "null among the tags of a contact is left out instead of rejected", (request) =>
    isUpsert(request)
      ? withBody(request, (body) =>
          Array.isArray(body.tags) ? { ...body, tags: body.tags.filter((tag) => tag !== null) } : body,
        )
      : request,
  ),
  // Source: json-parser/json-parser#18 (an integer is cut to its last 32 bits)
  takes("CONT-7", "a list id keeps its last 32 bits: 4,294,967,298 is list 2", (request) => {
    const list = objectOf(request.body).list_id;
    return (isUpsert(request) || isUnsubscribe(request)) && Number.isInteger(list) && Number(list) > 2 ** 32
      ? withBody(request, (body) => ({ ...body, list_id: Number(list) % 2 ** 32 }))
      : request;
  }),
  // Source: from experience (parseInt on a value that is a number already)
  takes("CONT-6", "the fraction of a list id is ignored", (request) => {
    const list = objectOf(request.body).list_id;
    return isUpsert(request) && typeof list === "number" && !Number.isInteger(list)
      ? withBody(request, (body) => ({ ...body, list_id: Math.trunc(list) }))
      : request;
  }),
  // Source: from experience (weak types in PHP)
  takes("UNSUB-6", "a list id of an unsubscribe may be a text", (request) => {
    const list = objectOf(request.body).list_id;
    return isUnsubscribe(request) && typeof list === "string" && /^\d+$/.test(list)
      ? withBody(request, (body) => ({ ...body, list_id: Number(list) }))
      : request;
  }),
  // Source: from experience (an invalid list id counts as none)
  takes(
    "UNSUB-6",
    "an unsubscribe with a list id that is no number unsubscribes from everything",
    (request) => {
      const list = objectOf(request.body).list_id;
      return isUnsubscribe(request) &&
        (typeof list === "string" || typeof list === "boolean" || Array.isArray(list))
        ? { ...request, body: {} }
        : request;
    },
  ),
  // Source: from experience (Resend's batch takes a bare array)
  takes("BATCH-1", "a batch may be a bare array of messages", (request) =>
    isBatch(request) && Array.isArray(request.body) && request.body.length > 0
      ? { ...request, body: { emails: request.body } }
      : request,
  ),
  // Source: from experience (form decoders turn lists into objects with numbers as names)
  takes("SEND-6", "an object with numbers as names is taken as the array `to`", (request) =>
    isAnySend(request)
      ? mapMessages(request, (message) =>
          isObject(message.to) &&
          Object.keys(message.to).every((name) => /^\d+$/.test(name)) &&
          "0" in message.to
            ? { ...message, to: Object.values(message.to) }
            : message,
        )
      : request,
  ),
  // Source: from experience (Laravel redirects the errors of requests that do not ask for JSON first)
  shows(
    "ERR-10",
    "a validation error redirects to / if the first choice of Accept is not JSON",
    (response, request) => {
      const [first = ""] = (request.headers.accept ?? "*/*").split(",");
      return response.status === 422 && !first.includes("json")
        ? { ...response, status: 302, headers: { ...response.headers, location: "/" }, body: undefined }
        : response;
    },
  ),
  // Source: from experience (a cancellation by body)
  takes("SCHED-8", "a rescheduling to null cancels the message", (request) =>
    isReschedule(request) && isObject(request.body) && request.body.scheduled_at === null
      ? { ...request, method: "DELETE", body: undefined }
      : request,
  ),
  // Source: openresearchcalendar/openresearchcalendar.github.io#117 (mail scanners follow links)
  takes("ERR-7", "GET or HEAD of the path of an unsubscribe unsubscribes", (request) =>
    /\/newsletter\/contacts\/[^/]+\/unsubscribe$/.test(pathOf(request)) && /^(GET|HEAD)$/.test(request.method)
      ? {
          ...request,
          method: "POST",
          headers: { ...request.headers, "content-type": "application/json" },
          body: {},
        }
      : request,
  ),
  // Source: from experience (PUT and PATCH share a route in Rails)
  takes("ERR-7", "PUT of a message reschedules it", (request) =>
    request.method === "PUT" && isAboutAMessage(request) && isObject(request.body)
      ? { ...request, method: "PATCH" }
      : request,
  ),
  // Source: from experience (a duration or date library that takes numbers)
  takes("GEN-6", "a number as `scheduled_at` is a time in seconds", (request) => {
    const time = objectOf(request.body).scheduled_at;
    return (isSend(request) || isReschedule(request)) && typeof time === "number" && Math.abs(time) < 8e12
      ? withBody(request, (body) => ({
          ...body,
          scheduled_at: new Date(time > 1e11 ? time : time * 1000).toISOString(),
        }))
      : request;
  }),
  // Source: from experience (Resend takes times in words)
  takes("GEN-6", "the text `tomorrow` is accepted as `scheduled_at`", (request, { now }) =>
    isSend(request) && /^(tomorrow|in \d+ \w+)$/i.test(textOf(objectOf(request.body).scheduled_at))
      ? withBody(request, (body) => ({
          ...body,
          scheduled_at: new Date(now() + 86_400_000).toISOString(),
        }))
      : request,
  ),
  // Source: restlet/restlet-framework-java#266, michaelJustin/daraja-framework#429
  stateful(
    "ERR-13",
    "an uncommon method ends in a 503 on known paths",
    () => (request, next) =>
      isKnown(request) && !/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(request.method)
        ? crash(503)
        : next(request),
  ),
  // Source: TryGhost/Ghost#29463 (an unknown key that objects inherit is taken as known)
  takes("CONT-11", "an unknown custom field named as an inherited property is ignored", (request) =>
    isUpsert(request)
      ? withBody(request, (body) =>
          isObject(body.fields)
            ? {
                ...body,
                fields: Object.fromEntries(Object.entries(body.fields).filter(([key]) => !(key in {}))),
              }
            : body,
        )
      : request,
  ),
  // Source: from experience (a look-up that is a pattern)
  stateful("LOOK-23", "an asterisk or percent sign as the id of a message finds the latest one", () => {
    let latest: string | undefined;
    return async (request, next) => {
      const isPattern = isMessageLookup(request) && /^[*%]$/.test(idOf(request));
      const response = await next(
        isPattern && latest !== undefined
          ? { ...request, path: `/api/v1/emails/${encodeURIComponent(latest)}` }
          : request,
      );
      const { id } = objectOf(response.body);
      if (isSend(request) && response.status === 202 && typeof id === "string") latest = id;
      return response;
    };
  }),
];
