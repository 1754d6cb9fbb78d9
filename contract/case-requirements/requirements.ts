import { type OperationId, operations } from "../../generated/operations.ts";
import { type UserError, usageError } from "../../lib/user-error.ts";
import { document, type OpenApiDocument, operationsOf, resolve, type Schema } from "../document.ts";
import type { Exchange } from "../exchange.ts";
import type { Case } from "../generated-cases/case.ts";
import { encodedIn } from "../response-checks/encoded.ts";
import { assertStatusCode } from "../support/assertions.ts";

/** A requirement on the body or headers of an operation, and the generated cases that verify it. */
export interface BodyRequirement {
  id: string;
  title: string;
  selectors: readonly CaseSelector[];
  /** Asserts the response to a valid request; default: any success. */
  assertAccepted?: (exchange: Exchange) => void;
}

const constraint = (id: string, title: string, ...selectors: CaseSelector[]): BodyRequirement => ({
  id,
  title,
  selectors,
});

const send: BodyRequirement[] = [
  constraint("SEND-2", "from is required", "from required"),
  constraint("SEND-3", "from has no display name", "from format pattern"),
  constraint("SEND-5", "to is required", "to required"),
  constraint("SEND-6", "to is a list, even for one recipient", "to type"),
  constraint("SEND-7", "to has at most the maximum number of recipients", "to maxItems"),
  constraint("SEND-8", "subject is required without a template", "subject required"),
  constraint("SEND-9", "subject is at most as long as its limit", "subject maxLength"),
  constraint("SEND-10", "html or text is required without a template", "body if"),
  constraint("SEND-14", "template_id can replace the content", "template_id required type"),
  constraint("SEND-16", "variables is an object", "variables"),
  constraint("SEND-18", "cc is a list of email addresses within its limit", "cc", "cc.*"),
  constraint("SEND-19", "bcc is a list of email addresses within its limit", "bcc", "bcc.*"),
  constraint("SEND-20", "tags have names and texts", "tags type", "tags.* type"),
  constraint("SEND-21", "tags are at most as many as their limit", "tags maxProperties"),
  constraint("SEND-22", "the name of a tag has only allowed characters", "tags propertyNames"),
  constraint("SEND-23", "the value of a tag is at most as long as its limit", "tags.* maxLength"),
  constraint("SEND-24", "headers have names and texts", "headers type", "headers.* type"),
  constraint("SEND-25", "headers are at most as many as their limit", "headers maxProperties"),
  constraint("SEND-26", "the name of a header is X-... or one of the list headers", "headers propertyNames"),
  constraint("SEND-27", "the value of a header has no line break", "headers.* not"),
  constraint("SEND-29", "optional properties can be omitted", "body properties"),
  {
    ...constraint("SEND-30", "an accepted send returns the documented status", "body example"),
    assertAccepted: (exchange) => assertStatusCode(exchange, ...operations.sendEmail.success.map(Number)),
  },
  constraint("ATT-1", "attachments is a list of objects", "attachments type", "attachments.* type"),
  constraint("ATT-2", "attachments are at most as many as their limit", "attachments maxItems"),
  constraint("ATT-3", "an attachment has a filename", "attachments.*.filename"),
  constraint(
    "ATT-4",
    "an attachment has either content or path",
    "attachments.*.content required not type",
    "attachments.*.path required not type",
  ),
  constraint("ATT-5", "the content of an attachment is base64", "attachments.*.content"),
  constraint("ATT-7", "the path of an attachment is an https URL", "attachments.*.path"),
  constraint("ATT-11", "the content_type of an attachment is a text", "attachments.*.content_type"),
  constraint("GEN-6", "scheduled_at has an offset from UTC", "scheduled_at"),
  constraint("IDEM-4", "the idempotency key of a send is at most as long as its limit", "Idempotency-Key"),
  constraint(
    "ERR-10",
    "a send is validated against other constraints",
    ...["body type", "from type", "to.*", "subject type not", "template_id not", "html", "text", "reply_to"],
    ...["attachments.* properties", "attachments.*.content_id"],
  ),
];

const batch = [
  constraint("BATCH-1", "a batch is an object with emails", "emails type required", "body"),
  constraint("BATCH-2", "a batch has at least one message", "emails minItems"),
  constraint("BATCH-3", "a batch has at most as many messages as its limit", "emails maxItems"),
  constraint("BATCH-4", "a message of a batch is validated like a single one", "emails.**"),
  constraint("BATCH-5", "a message of a batch has no attachments", "emails.*.attachments"),
  constraint("BATCH-6", "a message of a batch has no scheduled_at", "emails.*.scheduled_at"),
  constraint("IDEM-4", "the idempotency key of a batch is at most as long as its limit", "Idempotency-Key"),
];

const reschedule = [
  constraint("SCHED-8", "a reschedule has a scheduled_at, validated as in a send", "body", "scheduled_at"),
  constraint("GEN-6", "the time of a reschedule has an offset from UTC", "scheduled_at format pattern"),
];

const contact = [
  constraint("CONT-5", "email is required", "email"),
  constraint("CONT-6", "list_id is required and an integer", "list_id"),
  constraint("CONT-8", "first_name is a text within its limit", "first_name"),
  constraint("CONT-9", "last_name is a text within its limit", "last_name"),
  constraint("CONT-10", "values of custom fields are at most as many as their limit", "fields maxProperties"),
  constraint("CONT-13", "the value of a custom field can be null", "fields.*"),
  constraint("CONT-14", "tags of a contact are a list within its limit", "tags"),
  constraint("CONT-15", "a tag of a contact is a text within its limit", "tags.*"),
  constraint("CONT-17", "a consent can say where the email address came from", "consent.detail"),
  constraint("CONT-21", "a consent can have an IP address", "consent.ip"),
  constraint("CONT-22", "a consent can have a user agent", "consent.user_agent"),
  constraint("IDEM-4", "the idempotency key of a contact is at most as long as its limit", "Idempotency-Key"),
  constraint("ERR-10", "a contact is validated against other constraints", "body", "fields type", "consent"),
];

const unsubscribe = [
  constraint("UNSUB-6", "an unsubscribe can have an integer list_id", "list_id", "body properties example"),
  constraint("UNSUB-7", "an unsubscribe can have a reason, a text", "reason"),
  constraint("ERR-10", "an unsubscribe is validated against other constraints", "body type"),
];

/** The requirements on bodies and headers by operation. Operations that are not listed are validated as a whole. */
const bodyRequirements: Partial<Record<OperationId, readonly BodyRequirement[]>> = {
  sendEmail: send,
  sendBatch: batch,
  rescheduleEmail: reschedule,
  upsertContact: contact,
  unsubscribeContact: unsubscribe,
};

/** The requirements on a field of the body of an operation, as in `Case.field`, that a keyword belongs to. */
export function requirementsOn(operation: OperationId, field: string, keyword: string): string[] {
  const rows = (bodyRequirements[operation] ?? []).map(({ id, selectors }) => ({
    id,
    rank: Math.max(...selectors.map((selector) => specificity(selector, { field, keyword }))),
  }));
  const best = Math.max(0, ...rows.map(({ rank }) => rank));
  // The body as a whole is no property, and the messages of a batch have the requirements of a send.
  const isProperty = field !== "" && !field.startsWith("emails.*.");
  if (best === 0) return rows.length > 0 && isProperty ? [encodedAt(operation, topOf(field))] : [];
  return rows.filter(({ rank }) => rank === best).map(({ id }) => id);
}

/**
 * The rows of an operation, and one for each property that no row selects: of the first requirement that the document encodes at the
 * property, else of ERR-10. So a new property needs no row.
 */
export function requirementsFor(operation: OperationId, cases: readonly Case[], from: OpenApiDocument) {
  const rows = bodyRequirements[operation];
  if (rows === undefined) return undefined;
  const selectors = rows.flatMap((row) => row.selectors);
  const others = cases.filter(
    (one) => one.field !== "" && selectors.every((selector) => specificity(selector, one) === 0),
  );
  const byProperty = Object.entries(Object.groupBy(others, ({ field }) => topOf(field)));
  const derived = byProperty.map(([name, own = []]) => {
    const fields = new Set(own.map(({ field }) => (field === name ? name : `${name}.**`)));
    return constraint(encodedAt(operation, name, from), `${name} is validated`, ...fields);
  });
  return [...rows, ...derived];
}

const topOf = (field: string): string => field.split(".")[0] ?? field;

/** The first requirement of the service that the document encodes at a property of a request body, else ERR-10. */
function encodedAt(operation: OperationId, name: string, from = document): string {
  const body = operationsOf(from).find(({ id }) => id === operation)?.body ?? {};
  const { properties = {}, oneOf = [], anyOf = [] } = resolve<Schema>(from, body);
  const variants = [...oneOf, ...anyOf].map((variant) => resolve<Schema>(from, variant).properties?.[name]);
  const nodes = [properties[name], ...variants].filter((node) => node !== undefined);
  const ids = nodes.flatMap((node) => [...encodedIn(node), ...encodedIn(resolve<Schema>(from, node))]);
  return ids[0] ?? "ERR-10";
}

/**
 * Selects cases by field (as in `Case.field`, or `body` for the body itself; `**` at the end matches everything below) and by the keywords after it,
 * if there are any.
 */
type CaseSelector = string;

const selectorOf = ({ field, keyword }: Case): CaseSelector => `${field || "body"} ${keyword}`;

/** How specific a selector is for a case; 0 if it does not match. */
function specificity(selector: CaseSelector, one: Pick<Case, "field" | "keyword">): number {
  const [field = "", ...keywords] = selector.split(" ");
  const all = field.endsWith("**");
  const isField = all ? one.field.startsWith(field.slice(0, -"**".length)) : (one.field || "body") === field;
  if (!isField || (keywords.length > 0 && !keywords.includes(one.keyword))) return 0;
  return (all ? 1 : 2) + (keywords.length > 0 ? 2 : 0);
}

/**
 * Assigns each case to the requirement with the most specific matching selector.
 * @throws UserError for a case that no or several selectors match, and for a selector without a case
 */
export function assignCases<Row extends Pick<BodyRequirement, "id" | "selectors">>(
  cases: readonly Case[],
  requirements: readonly Row[],
): Map<Row, Case[]> {
  const rows = requirements.flatMap((requirement) =>
    requirement.selectors.map((selector) => ({ requirement, selector, cases: [] as Case[] })),
  );
  for (const one of cases) {
    const best = Math.max(0, ...rows.map(({ selector }) => specificity(selector, one)));
    const [owner, ...others] = rows.filter(({ selector }) => best > 0 && specificity(selector, one) === best);
    if (owner === undefined)
      throw wrongRows(
        `no requirement covers "${one.title}" (${one.field || "the body"}, ${one.keyword})`,
        `add the selector "${selectorOf(one)}" to a row`,
      );
    if (others[0] !== undefined)
      throw wrongRows(
        `several requirements cover "${one.title}": ${owner.requirement.id}, ${others[0].requirement.id}`,
        `leave the selector "${selectorOf(one)}" in one row`,
      );
    owner.cases.push(one);
  }
  const unused = rows.find((row) => row.cases.length === 0);
  if (unused !== undefined)
    throw wrongRows(
      `${unused.requirement.id} covers ${unused.selector}, which has no case`,
      `remove the selector "${unused.selector}"`,
    );
  const byRequirement = Map.groupBy(rows, ({ requirement }) => requirement);
  return new Map([...byRequirement].map(([key, own]) => [key, own.flatMap((row) => row.cases)]));
}

const wrongRows = (message: string, change: string): UserError =>
  usageError(message, `In contract/case-requirements/requirements.ts, ${change}.`);
