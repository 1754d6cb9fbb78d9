import type { OperationId } from "../../generated/operations.ts";
import { isObject, mapValues } from "../../lib/objects.ts";
import { document, documentValidators, type OpenApiDocument, operationsOf } from "../document.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, type Need, type TestCase, testCase } from "../engine/check.ts";
import { missingNeeds } from "../engine/run-case.ts";
import type { Fixtures, Settings } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, namedFields } from "../exchange.ts";
import { type Case, valueAt } from "../generated-cases/case.ts";
import { deriveCases } from "../generated-cases/derive.ts";
import {
  assertError,
  assertFieldError,
  assertNoValidField,
  assertRejected,
  assertSuccess,
  bodyOf,
  format,
} from "../support/assertions.ts";
import { assertMembershipStatus, assertNoContact, listId, lookUpContact } from "../support/contacts.ts";
import { lookUpMessage } from "../support/messages.ts";
import { anyPath, needsOf, requestToReject, validRequest } from "../support/requests.ts";
import type { Attempt } from "../support/unchanged.ts";
import { assignCases, type BodyRequirement, requirementsFor } from "./requirements.ts";
import { day, retargeted } from "./retarget.ts";
import { content } from "./violations.ts";

/** How generated cases are sent to one kind of server. */
export interface ServerKind {
  applies(one: Case): boolean;
  needs(one: Case): Need[];
  /** Whether errors name the invalid property; those of a mock are examples. */
  namesFields: boolean;
  send(tester: Tester, one: Case): Promise<Exchange>;
  /** Asserts that an invalid request stored nothing. */
  assertNoEffect?(tester: Tester, one: Case, sent: unknown): Promise<void>;
}

/**
 * Checks that valid requests are accepted and invalid ones rejected, generated from the constraints of the document on bodies,
 * headers and query parameters.
 * @throws UserError unless each case of an operation with rows belongs to one of them
 */
export function validationChecks(server: ServerKind, from: OpenApiDocument = document): Check[] {
  const cases = deriveCases(from, documentValidators);
  return operationsOf(from).flatMap(({ id, parameters }) => {
    const ofOperation = cases.filter(({ operation }) => operation === id);
    const { body = [], header = [], query = [] } = Object.groupBy(ofOperation, ({ location }) => location);
    const byName = Map.groupBy(query, ({ field }) => field);
    return [
      ...bodyChecks(id, [...body, ...header], server, from),
      ...Array.from(byName, ([name, own]) =>
        check(
          parameters.find((one) => one.name === name)?.["x-encodes"] ?? "ERR-10",
          `${id}: the query parameter ${name} is validated`,
          casesOf(own, server),
        ),
      ),
    ];
  });
}

function bodyChecks(operation: string, cases: Case[], server: ServerKind, from: OpenApiDocument): Check[] {
  if (cases.length === 0) return [];
  const requirements = requirementsFor(operation as OperationId, cases, from);
  if (requirements === undefined)
    return [check("ERR-10", `${operation}: requests are validated`, casesOf(cases, server))];
  return [...assignCases(cases, requirements)].map(([{ id, title, assertAccepted }, own]) =>
    check(id, title, casesOf(own, server, assertAccepted)),
  );
}

function casesOf(
  cases: Case[],
  server: ServerKind,
  assertAccepted: BodyRequirement["assertAccepted"] = assertSuccess,
): TestCase[] {
  const applicable = withOneBatch(cases.filter(server.applies), server);
  // The profile core has one case per requirement; an invalid request says most.
  const core = applicable.find(({ accepted }) => !accepted) ?? applicable[0];
  return applicable.map((one) => {
    const options = { operation: one.operation as OperationId, core: one === core, needs: server.needs(one) };
    return testCase(one.title, options, async (tester) => {
      const exchange = await server.send(tester, one);
      if (one.accepted) return assertAccepted(exchange);
      assertInvalid(exchange, one, server.namesFields);
      const isFirst = applicable.find(({ accepted, field }) => !accepted && field === one.field) === one;
      if (isFirst && tester.settings.profile !== "core")
        await server.assertNoEffect?.(tester, one, exchange.request.body);
    });
  });
}

/** The valid messages of batches in one batch for all with the same needs. An invalid one stays alone: it violates one rule. */
function withOneBatch(cases: Case[], { needs }: ServerKind): Case[] {
  const isMessage = ({ accepted, field }: Case): boolean => accepted && field.startsWith("emails.*");
  const messages = Map.groupBy(cases.filter(isMessage), (one) => needs(one).join());
  const batches = Array.from(messages.values(), ([first, ...others]): Case => {
    const all = [first as Case, ...others];
    const emails = all.map(({ body, path }) => valueAt({ body, path: path.slice(0, 2) }));
    const title = `sendBatch: ${emails.length} messages with allowed values are accepted`;
    return { ...(first as Case), body: { emails }, title };
  });
  return [...cases.filter((one) => !isMessage(one)), ...batches];
}

function assertInvalid(exchange: Exchange, one: Case, namesFields: boolean): void {
  const isInBody = one.location === "body";
  const [first, ...others] = isInBody ? faultyFields(one) : [];
  if (one.location === "query" || (isInBody && !namesFields))
    assertError(exchange, 422, "invalid_request", ...namedFields(exchange));
  else if (first !== undefined) assertFieldError(exchange, first, ...others);
  else {
    // The status for an idempotency key that is too long, and for a body that is no object, is unspecified.
    assertRejected(exchange);
    if (namesFields) assertNoValidField(exchange, []);
  }
}

/**
 * The fields that `error.fields` can name for an invalid body, at least one: top-level ones, because the names of nested ones
 * are unspecified. In a batch they have the index of the message. Empty if the body is no object.
 */
function faultyFields({ path, keyword }: Case): string[] {
  const [top, index, inner] = path;
  const isInMessage = top === "emails" && (inner !== undefined || keyword === "if");
  const prefix = isInMessage ? `emails.${index}.` : "";
  const name = isInMessage ? inner : top;
  if (keyword === "if") return content.map((one) => prefix + one);
  // Without a valid template_id, either it or the content is missing.
  if (name === "template_id") return ["subject", ...content].map((one) => prefix + one);
  return name === undefined ? [] : [`${prefix}${name}`];
}

/** The mock receives the examples of the document unchanged. */
export const onMock: ServerKind = {
  applies: () => true,
  needs: () => [],
  namesFields: false,
  send: (tester, { operation, body, headers, query }) => {
    const id = operation as OperationId;
    return tester.request(id, { path: anyPath(id), query, body, headers });
  },
};

/** Fields that a batch does not support, and values that must not match a pattern. */
const specified = /\.(attachments|scheduled_at|headers\.\*)$|^headers\.\*$/;

/** A stateful server, with its own domains, lists and templates instead of those of the examples. */
export const onServer = (fixtures: Fixtures): ServerKind => ({
  namesFields: true,
  /**
   * Excludes combinations whose meaning is unspecified, values of another JSON type in custom fields, and more custom fields than
   * an account may have.
   */
  applies: ({ keyword, field, accepted }) => {
    if (keyword === "not") return specified.test(field);
    if (field === "fields" && keyword === "maxProperties") return false;
    // Only the document says that the value of an extra header is a text; a server may convert a number.
    if (keyword === "type" && field.endsWith("headers.*")) return false;
    return !(keyword === "type" && field === "fields.*" && accepted);
  },
  needs: ({ operation, body, field }) => [
    ...needsOf(operation as OperationId),
    ...(mentions(body, "template_id") ? (["template"] as const) : []),
    ...(mentions(body, "fields")
      ? (["fields.text", "fields.number", "fields.date", "fields.url"] as const)
      : []),
    ...(field.startsWith("attachments") && mentions(body, "path") ? (["attachmentLink"] as const) : []),
  ],
  send: async (tester, { operation, accepted, body, headers, query, field, location }) => {
    const request = accepted ? validRequest : requestToReject;
    const valid = await request(tester, operation as OperationId);
    const keepsLinks = field.startsWith("attachments");
    const target = { fixtures, unique: tester.run.unique(), now: tester.run.now(), keepsLinks };
    return tester.request(operation as OperationId, {
      ...(valid.path === undefined ? {} : { path: valid.path }),
      query: { ...valid.query, ...query },
      body: retargeted(body, target),
      // A key that was used before would be a conflict.
      headers: location === "header" ? uniqueKey(headers, tester) : headers,
    });
  },
  assertNoEffect,
});

/** Two invalid sends for each property. */
export const invalidSends = (settings: Settings): Attempt[] => {
  const server = onServer(settings.fixtures);
  const sends = deriveCases(document, documentValidators).filter(
    (one) =>
      one.operation === "sendEmail" &&
      !one.accepted &&
      server.applies(one) &&
      missingNeeds(settings, server.needs(one)).length === 0,
  );
  const byProperty = Map.groupBy(sends, ({ field }) => field.split(".")[0]);
  const some = [...byProperty.values()].flatMap((all) => [...new Set([all[0], all.at(-1)])] as Case[]);
  return some.map((one) => {
    const attempt = async (tester: Tester): Promise<Exchange> => {
      const exchange = await server.send(tester, one);
      assertInvalid(exchange, one, true);
      return exchange;
    };
    return Object.assign(attempt, { ids: ["ERR-10", "LIMIT-5"] });
  });
};

/** What an invalid request names is as it was: no contact, or what `requestToReject` shares. */
async function assertNoEffect(tester: Tester, { operation, field }: Case, sent: unknown): Promise<void> {
  if (operation === "upsertContact" && field !== "email" && isObject(sent) && sent.email !== undefined)
    await assertNoContact(tester, String(sent.email));
  if (operation !== "unsubscribeContact" && operation !== "rescheduleEmail") return;
  const { email = "", id = "" } = (await requestToReject(tester, operation)).path ?? {};
  if (operation === "unsubscribeContact")
    return assertMembershipStatus(await lookUpContact(tester, email), "subscribed", listId(tester, "plain"));
  const found = await lookUpMessage(tester, id);
  const { status, scheduled_at } = bodyOf(found);
  // The invalid requests have later times.
  const isKept = status === "scheduled" && Date.parse(String(scheduled_at)) < tester.run.now() + day;
  assert(isKept, found, {
    expected: "a message that is scheduled as before the invalid request",
    found: `${status}, scheduled_at ${format(scheduled_at)}`,
  });
}

const mentions = (body: unknown, name: string) => JSON.stringify(body ?? null).includes(`"${name}":`);

/** Headers of the same length with values that are unique to the run. */
const uniqueKey = (headers: Record<string, string>, tester: Tester): Record<string, string> =>
  mapValues(headers, (value) => {
    const unique = tester.run.unique();
    return value.length <= unique.length ? value : unique + value.slice(unique.length);
  });
