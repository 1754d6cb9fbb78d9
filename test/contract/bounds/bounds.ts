import type { OperationId } from "../../../generated/operations.ts";
import { isObject } from "../../../lib/is-object.ts";
import type { Case } from "../cases/case.ts";
import { deriveCases } from "../cases/derive.ts";
import { document, type OpenApiDocument, operationsOf } from "../document.ts";
import { documentValidators } from "../document-validators.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, type Need, type TestCase, testCase } from "../engine/check.ts";
import type { Fixtures } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, errorOf } from "../exchange.ts";
import { assertError, assertSuccess } from "../support/assertions.ts";
import { anyPath, needsOf, validRequest } from "../support/requests.ts";
import { assignCases } from "./assign.ts";
import { type BodyRequirement, bodyRequirements } from "./body-requirements.ts";
import { retargeted } from "./retarget.ts";

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
 * @throws Error unless each case of an operation in `bodyRequirements` belongs to one of its requirements
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
      ...bodyChecks(id, others, server),
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

function bodyChecks(operation: string, cases: Case[], server: ServerKind): Check[] {
  if (cases.length === 0) return [];
  const requirements = bodyRequirements[operation as OperationId];
  if (requirements === undefined)
    return [check("ERR-10", `${operation}: requests are validated`, casesOf(cases, server))];
  const selectors = requirements.map((one, index) => [String(index), one.selectors] as const);
  const assigned = assignCases(cases, Object.fromEntries(selectors));
  return requirements.map(({ id, title, assertAccepted }, index) =>
    check(id, title, casesOf(assigned[String(index)] ?? [], server, assertAccepted)),
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
      else assertRejected(exchange, one, server.namesFields);
    });
  });
}

function assertRejected(
  exchange: Exchange,
  { location: where, field, keyword }: Case,
  namesFields: boolean,
): void {
  assertError(exchange, 422, "invalid_request");
  // Without a template_id, either it or the content is missing.
  if (where !== "body" || field === "" || (keyword === "required" && field.endsWith("template_id"))) return;
  const { fields } = errorOf(exchange) ?? {};
  const names = isObject(fields) ? Object.keys(fields) : [];
  assert(names.length > 0, exchange, { expected: "error.fields", found: "an error without fields" });
  const named = namesFields ? nameOf(field) : undefined;
  assert(named === undefined || names.some((name) => named.test(name)), exchange, {
    expected: `error.fields with an entry for ${field}`,
    found: `entries for ${names.join(", ")}`,
  });
}

/**
 * Matches the entries of `error.fields` for a property or something inside it. In a batch they have the index of the message.
 * Undefined if the constraint is about several properties.
 */
function nameOf(field: string): RegExp | undefined {
  const inBatch = /^emails\.(?:\*\.)?([^.*]+)/.exec(field);
  if (field.startsWith("emails.") && inBatch !== null)
    return new RegExp(`^emails\\.\\d+\\.${inBatch[1]}(\\.|$)`);
  const [top] = field.split(".");
  return top === undefined || top === "*" ? undefined : new RegExp(`^${top}(\\.|$)`);
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

const unsupportedInBatch = /\.(attachments|scheduled_at)$/;

/** A stateful server, with its own domains, lists and templates instead of those of the examples. */
export const onServer = (fixtures: Fixtures): ServerKind => ({
  namesFields: true,
  /**
   * Excludes combinations whose meaning is unspecified, values of another JSON type in custom fields, and more custom fields than
   * an account may have.
   */
  applies: ({ keyword, field, accepted }) => {
    if (keyword === "not") return unsupportedInBatch.test(field);
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
function uniqueKey(headers: Record<string, string>, tester: Tester): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => {
    const unique = tester.run.unique();
    return [name, value.length <= unique.length ? value : unique + value.slice(unique.length)];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}
