import { operationsOf, type PlacedOperation } from "../../document/operations.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { operationPath } from "../page.ts";
import { resolveSchema } from "../schema/type.ts";
import type { HeadElement } from "../site-data.ts";

/**
 * What counts more than any text of a page: its title, its keywords and synonyms, and for an operation method and path.
 * A synonym was chosen for its page, while several operations have a property of one name.
 */
export const metaWeights = { title: 5, keywords: 10, synonyms: 14, endpoint: 10 };

/** What leads the search to a page, whether or not its text has the words: elements of its head, by its path. */
export function searchElements(document: OpenApiDocument): ReadonlyMap<string, readonly HeadElement[]> {
  const elements = new Map<string, HeadElement[]>();
  const add = (path: string, element: HeadElement): void => {
    elements.set(path, [...(elements.get(path) ?? []), element]);
  };
  for (const operation of operationsOf(document)) {
    const path = operationPath(operation.id);
    add(path, meta("keywords", operationWords(document, operation)));
    add(path, meta("endpoint", [endpoint(operation)]));
  }
  const errors = document["x-errors"];
  const errorWords = new Set(errors.flatMap(({ status, type }) => [String(status), type ?? []].flat()));
  add("errors", meta("keywords", [...errorWords]));
  for (const [path, words] of Object.entries(synonyms)) add(path, meta("synonyms", words));
  return elements;
}

const meta = (name: keyof typeof metaWeights, words: readonly string[]): HeadElement => ({
  tag: "meta",
  attrs: { name, content: words.join(", "), "data-pagefind-meta": `${name}[content]` },
});

/** `POST /emails`: the last segment only. The search takes a word inside a longer path for a match too. */
function endpoint({ method, path }: PlacedOperation): string {
  const [segment = path] = /\/[^/{}]+(?=(?:\/\{[^/]*\})?$)/.exec(path) ?? [];
  return `${method.toUpperCase()} ${segment}`;
}

/** The names of an operation, and of what its requests have. */
function operationWords(
  document: OpenApiDocument,
  { id, method, path, parameters, operation }: PlacedOperation,
): string[] {
  const bodies = Object.values(operation.requestBody?.content ?? {});
  return [
    id,
    // Readers say mail for a message.
    ...(/\bmessage/.test(operation.summary) ? ["mail"] : []),
    `${method.toUpperCase()} ${path}`,
    // Without what all paths begin with, which readers leave out: emails/batch.
    path.split("/").slice(-2).join("/"),
    ...parameters.map(({ name }) => name),
    ...bodies.flatMap(({ schema }) => propertyNames(document, schema)),
  ];
}

/** The properties of a schema and of its variants, each once. */
function propertyNames(document: OpenApiDocument, given: Schema): string[] {
  const { properties = {}, oneOf = [] } = resolveSchema(document, given).schema;
  return [...new Set([...Object.keys(properties), ...oneOf.flatMap((one) => propertyNames(document, one))])];
}

/** Phrases for a requirement that its text does not have, by its id. They are found below the page of the same phrase. */
export const requirementPhrases: Readonly<Record<string, readonly string[]>> = {
  "BATCH-7": ["all or nothing", "all-or-nothing", "atomic"],
};

/** The words of other APIs and of readers, by the page that they look for. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  abilities: [
    "scope",
    "permission",
    "role",
    "access token",
    "bearer token",
    "authorization",
    "authentication",
  ],
  operations: ["endpoint"],
  "making-requests": ["base URL", "REST", "server URL"],
  "not-covered": ["webhook", "callback", "SMTP", "inbound email", "CSV import"],
  limits: ["attachment limit", "maximum size", "quota", "throughput"],
  errors: ["rate_limit_exceeded", "too many requests", "throttling", "validation error", "exception"],
  idempotency: ["idempotency", "idempotent", "duplicate request", "deduplication", "exactly once"],
  lifecycles: ["delivery status", "state", "membership status"],
  simulator: ["test address", "test recipient", "magic address"],
  versioning: ["deprecation", "breaking change", "sunset"],
  "operations/send-email": [
    "send a message",
    "send an email",
    "schedule",
    "schedule a message",
    "schedule an email",
    "schedule a mail",
    "send a scheduled mail",
    "scheduled mail",
    "send later",
    "transactional",
    "cc",
    "bcc",
  ],
  "operations/send-batch": ["bulk", "all or nothing", "all-or-nothing", "atomic"],
  "operations/get-email": ["delivery events", "track"],
  "operations/cancel-email": ["cancel", "unschedule", "abort"],
  "operations/reschedule-email": ["change time", "postpone"],
  "operations/upsert-contact": ["subscribe", "subscriber", "create contact", "signup"],
  "operations/unsubscribe-contact": ["unsubscribe link", "opt out"],
  "operations/list-newsletter-lists": ["audience", "mailing list", "segment"],
  "operations/list-custom-fields": ["merge fields", "attributes"],
  "objects/membership": ["subscription", "subscription status"],
  "operations/get-me": ["whoami", "verify key"],
  "guides/sending": ["suppression", "blocked", "personalization"],
  "guides/newsletter": ["double opt-in", "campaign"],
  "guides/client": ["SDK", "library", "npm"],
  "guides/sandbox": ["test mode", "mock server", "emulator"],
};
