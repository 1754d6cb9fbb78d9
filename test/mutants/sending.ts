import {
  acceptsInBatch,
  acceptsSend,
  changeSendResponses,
  from,
  idOf,
  isBatch,
  isMessageLookup,
  isScheduled,
  isSend,
  isSuppressed,
  rejectsSend,
  stateful,
  to,
} from "./email.ts";
import {
  type Applies,
  changeRequests,
  changeResponses,
  type Mutant,
  type MutantRequest,
  type RequirementId,
} from "./mutant.ts";
import { errorResponse, isSuccess, type Json, objectOf, textOf, without } from "./newsletter.ts";
import { mistakes, rejectsKey, sentMessages, withFields, withMessages } from "./requests.ts";

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
const pairsOf = (value: unknown): [string, unknown][] => Object.entries(objectOf(value));
const isBare = (value: unknown): boolean => typeof value === "string" && !/[<>\s]/.test(value);
const domainOf = (value: unknown): string => String(value).split("@").at(-1) ?? "";
const own = ["bakery.example", "shop.bakery.example", "stopped.bakery.example"];

/** Truncates a list of a message. */
const cut =
  (field: string, most: number) =>
  (body: Json): Json | undefined =>
    lengthOf(body[field]) > most
      ? { ...body, [field]: (body[field] as unknown[]).slice(0, most) }
      : undefined;

/** Changes the matching entries of a map in a message. */
const pairs =
  (
    field: string,
    applies: (pair: [string, unknown]) => boolean,
    change: (pair: [string, unknown]) => [string, unknown][],
  ) =>
  (body: Json): Json | undefined => {
    const all = pairsOf(body[field]);
    return all.some(applies)
      ? {
          ...body,
          [field]: Object.fromEntries(all.flatMap((pair) => (applies(pair) ? change(pair) : [pair]))),
        }
      : undefined;
  };

/** Removes the matching entries of a map in a message. */
const withoutPairs = (field: string, applies: (pair: [string, unknown]) => boolean) =>
  pairs(field, applies, () => []);

const inValues =
  (text: string | RegExp) =>
  ([, value]: [string, unknown]): boolean =>
    typeof value === "string" && (typeof text === "string" ? value.includes(text) : text.test(value));

/** Valid and invalid single sends. */
export const sendingMutants: Mutant[] = [
  acceptsSend("SEND-2", "a message without a from", (body) =>
    "from" in body ? undefined : { ...body, from },
  ),
  acceptsSend("SEND-3", "a display name in from", (body) =>
    typeof body.from === "string" && body.from.includes("<") ? { ...body, from } : undefined,
  ),
  acceptsSend("SEND-3", "an invalid from address", (body) =>
    typeof body.from === "string" && !body.from.includes("@") ? { ...body, from } : undefined,
  ),
  rejectsSend("SEND-3", "a from address with a plus sign", "from", ({ from: sender }) =>
    String(sender).includes("+"),
  ),
  acceptsSend("SEND-4", "a from address on a domain with unfinished verification", (body) =>
    domainOf(body.from) === "unverified.bakery.example" ? { ...body, from } : undefined,
  ),
  acceptsSend("SEND-4", "a from address on a domain of another account", (body) =>
    domainOf(body.from) === "florist.example" ? { ...body, from } : undefined,
  ),
  acceptsInBatch("SEND-4", "a from address on any domain", (body) =>
    isBare(body.from) && String(body.from).includes("@") && !own.includes(domainOf(body.from))
      ? { ...body, from }
      : undefined,
  ),
  acceptsSend("SEND-5", "a message without a to", (body) => ("to" in body ? undefined : { ...body, to })),
  acceptsSend("SEND-6", "a text as to", (body) =>
    typeof body.to === "string" ? { ...body, to: [body.to] } : undefined,
  ),
  acceptsSend("SEND-7", "51 recipients in to", cut("to", 50)),
  acceptsSend("SEND-8", "a message without a subject", (body) =>
    "subject" in body || "template_id" in body ? undefined : { ...body, subject: "None" },
  ),
  acceptsSend("SEND-9", "a subject of 999 characters", (body) =>
    String(body.subject).length > 998 ? { ...body, subject: String(body.subject).slice(0, 998) } : undefined,
  ),
  rejectsSend(
    "SEND-9",
    "a subject of 998 characters that has more bytes",
    "subject",
    (body) => Buffer.byteLength(String(body.subject)) > 998 && String(body.subject).length <= 998,
  ),
  acceptsSend("SEND-10", "a message with neither html nor text", (body) =>
    "html" in body || "text" in body || "template_id" in body ? undefined : { ...body, text: "None" },
  ),
  rejectsSend("SEND-10", "a message with only html", "text", (body) => "html" in body && !("text" in body)),
  rejectsSend("SEND-10", "a message with only text", "html", (body) => "text" in body && !("html" in body)),
  rejectsSend(
    "SEND-10",
    "a message with both html and text",
    "html",
    (body) => "text" in body && "html" in body,
  ),
  rejectsSend("SEND-14", "a template", "template_id", (body) => "template_id" in body),
  acceptsSend("SEND-14", "an unknown template", (body) =>
    String(body.template_id).startsWith("no-template") ? { ...body, template_id: "order-ready" } : undefined,
  ),
  acceptsSend("SEND-14", "a number as template_id", (body) =>
    typeof body.template_id === "number" ? { ...body, template_id: "order-ready" } : undefined,
  ),
  acceptsSend("SEND-16", "a text as variables", (body) =>
    typeof body.variables === "string" ? { ...body, variables: {} } : undefined,
  ),
  acceptsSend("SEND-20", "a text as tags", (body) =>
    typeof body.tags === "string" ? without(body, "tags") : undefined,
  ),
  acceptsSend(
    "SEND-20",
    "a number as the value of a tag",
    pairs(
      "tags",
      ([, value]) => typeof value === "number",
      ([name, value]) => [[name, String(value)]],
    ),
  ),
  acceptsSend("SEND-21", "21 tags", (body) =>
    pairsOf(body.tags).length > 20
      ? { ...body, tags: Object.fromEntries(pairsOf(body.tags).slice(0, 20)) }
      : undefined,
  ),
  rejectsSend("SEND-21", "20 tags", "tags", (body) => pairsOf(body.tags).length === 20),
  acceptsSend(
    "SEND-22",
    "a space in the name of a tag",
    withoutPairs("tags", ([name]) => name.includes(" ")),
  ),
  acceptsSend(
    "SEND-22",
    "any character in the name of a tag",
    withoutPairs("tags", ([name]) => /[/!]/.test(name)),
  ),
  rejectsSend("SEND-22", "upper case letters in the name of a tag", "tags", (body) =>
    pairsOf(body.tags).some(([name]) => /^[A-Z]+$/.test(name)),
  ),
  rejectsSend("SEND-22", "colons in the name of a tag", "tags", (body) =>
    pairsOf(body.tags).some(([name]) => name.includes(":")),
  ),
  acceptsSend(
    "SEND-23",
    "a tag value of 129 characters",
    pairs(
      "tags",
      ([, value]) => String(value).length > 128,
      ([name, value]) => [[name, String(value).slice(0, 128)]],
    ),
  ),
  rejectsSend("SEND-23", "a tag value of 128 characters that has more bytes", "tags", (body) =>
    pairsOf(body.tags).some(
      ([, value]) => String(value).length === 128 && Buffer.byteLength(String(value)) > 128,
    ),
  ),
  acceptsSend("SEND-24", "a text as headers", (body) =>
    typeof body.headers === "string" ? without(body, "headers") : undefined,
  ),
  acceptsSend("SEND-25", "11 headers", (body) =>
    pairsOf(body.headers).length > 10
      ? { ...body, headers: Object.fromEntries(pairsOf(body.headers).slice(0, 10)) }
      : undefined,
  ),
  rejectsSend("SEND-25", "10 headers", "headers", (body) => pairsOf(body.headers).length === 10),
  acceptsSend(
    "SEND-26",
    "the header Reply-To",
    withoutPairs("headers", ([name]) => name === "Reply-To"),
  ),
  acceptsSend(
    "SEND-26",
    "every header that starts with List-",
    withoutPairs("headers", ([name]) => name === "List-Id"),
  ),
  rejectsSend("SEND-26", "the header List-Unsubscribe-Post", "headers", (body) =>
    pairsOf(body.headers).some(([name]) => name === "List-Unsubscribe-Post"),
  ),
  rejectsSend("SEND-26", "headers that start with X-, except one", "headers", (body) =>
    pairsOf(body.headers).some(([name]) => name === "X-1"),
  ),
  acceptsSend("SEND-27", "a line break in a header", withoutPairs("headers", inValues("\r\n"))),
  acceptsSend(
    "SEND-27",
    "a line feed at the end of a header",
    withoutPairs("headers", inValues(/^[^\r\n]*\n$/)),
  ),
  acceptsSend("SEND-27", "a carriage return in a header", withoutPairs("headers", inValues(/\r[^\n]/))),
  rejectsSend(
    "SEND-29",
    "a message without tags",
    "tags",
    (body) => !("tags" in body) && !("scheduled_at" in body),
  ),
  ...(["cc", "bcc"] as const).flatMap((field): Mutant[] => {
    const id = field === "cc" ? "SEND-18" : "SEND-19";
    return [
      acceptsSend(id, `51 recipients in ${field}`, cut(field, 50)),
      rejectsSend(id, `50 recipients in ${field}`, field, (body) => lengthOf(body[field]) === 50),
      acceptsSend(id, `a text as ${field}`, (body) =>
        typeof body[field] === "string" ? without(body, field) : undefined,
      ),
      acceptsSend(id, `an address without a domain in ${field}`, (body) =>
        Array.isArray(body[field]) && body[field].includes("ada") ? without(body, field) : undefined,
      ),
    ];
  }),
];

const comesFromNowhere = (request: MutantRequest): boolean =>
  sentMessages(request).some(({ from }) => String(from).includes("@nobody-"));

/** Accepts messages from a domain as if it were verified. */
const takesFrom = (
  requirement: RequirementId,
  [what, applies]: readonly [string, Applies],
  domain: string,
  pattern: RegExp,
): Mutant =>
  changeRequests(requirement, `${what} is sent from ${domain}`, (request) =>
    applies(request)
      ? withMessages(request, (message) =>
          pattern.test(textOf(message.from)) ? { ...message, from } : message,
        )
      : undefined,
  );

const scheduled = ["a scheduled message", isScheduled] as const;
const kinds = [["a message", isSend], ["a batch", isBatch], scheduled] as const;

export const sendersMutants: Mutant[] = [
  ...kinds.flatMap((kind) => [
    takesFrom("ERR-8", kind, "a domain with unfinished verification", /@unverified\.bakery\.example$/),
    takesFrom("ERR-9", kind, "a stopped domain", /@stopped\.bakery\.example$/),
  ]),
  takesFrom("AUTH-17", scheduled, "another account's domain", /@(?!(\w+\.)?bakery\.example>?$)/),
  mistakes(
    "ERR-11",
    "a nonexistent domain returns 422 invalid_request",
    "403 send_rejected",
    "422 invalid_request",
    comesFromNowhere,
  ),
  rejectsKey(
    "ERR-11",
    "an account without a domain returns 404 not_found",
    { from: "noDomain", on: ["email"] },
    () => errorResponse(404, "not_found"),
  ),
];

/** Replaces an id by that of the published template. */
const published =
  (isReplaced: (id: string) => boolean) =>
  (message: Json): Json | undefined =>
    isReplaced(String(message.template_id)) ? { ...message, template_id: "order-ready" } : undefined;

const draft = published((id) => id === "draft");
const unknown = published((id) => id.startsWith("no-template"));

/** Unknown and unpublished templates. */
export const templateMutants: Mutant[] = [
  acceptsInBatch("SEND-14", "an unknown template", unknown),
  acceptsSend("SEND-14", "an unpublished template", (body) =>
    "scheduled_at" in body ? undefined : draft(body),
  ),
  acceptsInBatch("SEND-14", "an unpublished template", draft),
  acceptsSend("SCHED-6", "a scheduled send from an unpublished template", (body) =>
    "scheduled_at" in body ? draft(body) : undefined,
  ),
  changeRequests("SCHED-6", "accepts a subject of 999 characters in a scheduled send", (request) =>
    isScheduled(request)
      ? withFields(request, { subject: textOf(objectOf(request.body).subject).slice(0, 998) })
      : undefined,
  ),
];

/** Responses to sends. */
export const sendResponseMutants: Mutant[] = [
  stateful("SEND-1", "loses an accepted message", () => {
    const forgotten = new Set<unknown>();
    return async (request, next) => {
      if (isMessageLookup(request) && forgotten.has(idOf(request))) return errorResponse(404, "not_found");
      const response = await next(request);
      if (isSend(request) && isSuccess(response)) forgotten.add(objectOf(response.body).id);
      return response;
    };
  }),
  changeResponses("SEND-30", "returns 200 for a send", (response, request) =>
    isSend(request) && isSuccess(response) ? { ...response, status: 200 } : undefined,
  ),
  changeResponses("SEND-30", "returns 200 for a scheduled send", (response, request) =>
    isScheduled(request) && isSuccess(response) ? { ...response, status: 200 } : undefined,
  ),
  changeSendResponses("SEND-31", "the response has a number as the id", (body) => ({ ...body, id: 17 })),
  changeSendResponses("SEND-31", "the id is in message_id", ({ id, ...body }) => ({
    ...body,
    message_id: id,
  })),
  changeSendResponses("SEND-33", "to in the response has only the first recipient", (body) => ({
    ...body,
    to: (body.to as unknown[]).slice(0, 1),
  })),
  changeSendResponses("SEND-34", "suppressed in the response omits recent suppressions", (body) => ({
    ...body,
    to: [...(body.to as unknown[]), ...(body.suppressed as unknown[]).filter((one) => !isSuppressed(one))],
    suppressed: (body.suppressed as unknown[]).filter(isSuppressed),
  })),
  changeResponses("SEND-37", "returns 400 for an invalid send", (response, request) =>
    isSend(request) && response.status === 422 ? { ...response, status: 400 } : undefined,
  ),
  changeResponses(
    "SEND-37",
    "returns 403 no_plan for a domain of no or another account",
    (response, request) =>
      isSend(request) && response.status === 403 && typeIn(response.body) === "send_rejected"
        ? errorResponse(403, "no_plan")
        : undefined,
  ),
];

const typeIn = (body: unknown): unknown => objectOf(objectOf(body).error).type;

/** Responses to sends that are valid as the variant for another request. */
export const responseVariantMutants: Mutant[] = [
  stateful("SCHED-3", "the id of a scheduled message has no prefix, and its response has a to", () => {
    const late = "/api/v1/emails/late_";
    return async (request, next) => {
      const isLate = request.path.startsWith(late);
      const response = await next(
        isLate ? { ...request, path: request.path.replace("/late_", "/sched_") } : request,
      );
      const applies = isScheduled(request) || (isLate && isMessageLookup(request));
      if (!applies || !isSuccess(response)) return response;
      const body = objectOf(response.body);
      const to = isLate ? body.to : objectOf(request.body).to;
      return { ...response, body: { ...body, to, id: String(body.id).replace("sched_", "late_") } };
    };
  }),
];
