import type { OperationId } from "../../generated/operations.ts";
import { mapValues } from "../../lib/objects.ts";
import { document, documentValidators, type OpenApiDocument, operationsOf } from "../document.ts";
import { type Check, check, type Need, type TestCase, testCase } from "../engine/check.ts";
import type { Fixtures } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, namedFields } from "../exchange.ts";
import type { Case } from "../generated-cases/case.ts";
import { deriveCases } from "../generated-cases/derive.ts";
import {
  assertError,
  assertFieldError,
  assertNoValidField,
  assertRejected,
  assertSuccess,
} from "../support/assertions.ts";
import { anyPath, needsOf, validRequest } from "../support/requests.ts";
import { assignCases, type BodyRequirement, requirementsFor } from "./requirements.ts";
import { retargeted } from "./retarget.ts";
import { content } from "./violations.ts";

/** How generated cases are sent to one kind of server. */
export interface ServerKind {
  /** Whether the case applies to this kind of server. */
  applies(one: Case): boolean;
  needs(one: Case): Need[];
  /** Whether errors name the invalid property; those of a mock are examples. */
  namesFields: boolean;
  send(tester: Tester, one: Case): Promise<Exchange>;
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
    const [inQuery, others] = [true, false].map((isQuery) =>
      ofOperation.filter(({ location }) => (location === "query") === isQuery),
    ) as [Case[], Case[]];
    const names = [...new Set(inQuery.map(({ field }) => field))];
    return [
      ...bodyChecks(id, others, server, from),
      ...names.map((name) =>
        check(
          parameters.find((one) => one.name === name)?.["x-encodes"] ?? "ERR-10",
          `${id}: the query parameter ${name} is validated`,
          casesOf(
            inQuery.filter(({ field }) => field === name),
            server,
          ),
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
  const assigned = [...assignCases(cases, requirements)];
  return assigned.map(([{ id, title, assertAccepted }, own]) =>
    check(id, title, casesOf(own, server, assertAccepted)),
  );
}

function casesOf(
  cases: Case[],
  server: ServerKind,
  assertAccepted: BodyRequirement["assertAccepted"] = assertSuccess,
): TestCase[] {
  const applicable = cases.filter(server.applies);
  // The profile core has one case per requirement; an invalid request says most.
  const core = applicable.find(({ accepted }) => !accepted) ?? applicable[0];
  return applicable.map((one) => {
    const operation = one.operation as OperationId;
    const options = { operation, core: one === core, needs: server.needs(one) };
    return testCase(one.title, options, async (tester) => {
      const exchange = await server.send(tester, one);
      if (one.accepted) assertAccepted(exchange);
      else assertInvalid(exchange, one, server.namesFields);
    });
  });
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
  send: async (tester, { operation, body, headers, query, field, location }) => {
    const valid = await validRequest(tester, operation as OperationId);
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
});

const mentions = (body: unknown, name: string): boolean =>
  JSON.stringify(body ?? null).includes(`"${name}":`);

/** Headers of the same length with values that are unique to the run. */
const uniqueKey = (headers: Record<string, string>, tester: Tester): Record<string, string> =>
  mapValues(headers, (value) => {
    const unique = tester.run.unique();
    return value.length <= unique.length ? value : unique + value.slice(unique.length);
  });
