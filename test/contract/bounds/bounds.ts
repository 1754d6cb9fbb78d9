import type { OperationId } from "../../../generated/operations.ts";
import { assignCases, type CaseSelectors } from "../assign-cases.ts";
import type { Case } from "../cases/case.ts";
import { deriveCases } from "../cases/derive.ts";
import { isObject } from "../cases/place.ts";
import { document } from "../document.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, type Need, type TestCase, testCase } from "../engine/check.ts";
import type { Fixtures } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, errorOf } from "../exchange.ts";
import { oracle } from "../oracle.ts";
import { assertError, assertSuccess } from "../support/assertions.ts";
import { anyPath, validRequest } from "../support/requests.ts";
import { retargeted } from "./retarget.ts";

/** A law about requests, and the cases of the document that are about it. */
export interface Law<Id extends string = string> {
  id: Id;
  title: string;
  claims: CaseSelectors<string>[string];
  /** What an accepted case is answered with, where more is promised than success. */
  isAccepted?: (exchange: Exchange) => void;
}

/** How the cases of the document's examples are tried on one kind of server. */
export interface Way {
  /** Whether this kind of server is asked for what the document claims in a case. */
  isPromised(one: Case): boolean;
  needs(one: Case): Need[];
  /** Whether its errors name the field that is wrong; a mock answers with an example. */
  namesFields: boolean;
  ask(tester: Tester, one: Case): Promise<Exchange>;
}

const cases = deriveCases(document, oracle);

/**
 * The checks of the laws about the requests of an operation: what keeps to the document is accepted, what does not is refused.
 * @throws Error unless each case of the operation belongs to one law
 */
export function boundsOf(operation: OperationId, laws: readonly Law[], way: Way): Check[] {
  const claims = Object.fromEntries(laws.map((law, index) => [String(index), law.claims]));
  const mine = assignCases(
    cases.filter((one) => one.operation === operation),
    claims,
  );
  return laws.map(({ id, title, isAccepted }, index) =>
    check(id, title, casesOf(mine[String(index)] ?? [], way, isAccepted)),
  );
}

function casesOf(
  given: Case[],
  way: Way,
  isAccepted: (exchange: Exchange) => void = assertSuccess,
): TestCase[] {
  const promised = given.filter(way.isPromised);
  // In few requests, a case that is refused says most.
  const core = promised.find(({ accepted }) => !accepted) ?? promised[0];
  return promised.map((one) =>
    testCase(
      one.title,
      { operation: one.operation as OperationId, core: one === core, needs: way.needs(one) },
      async (tester) => {
        const exchange = await way.ask(tester, one);
        if (one.accepted) isAccepted(exchange);
        else isRefused(exchange, one, way.namesFields);
      },
    ),
  );
}

function isRefused(exchange: Exchange, { where, field, keyword }: Case, namesFields: boolean): void {
  assertError(exchange, 422, "invalid_request");
  // Without a template_id it may be that or the content which is missing.
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
 * How an entry of `error.fields` for a field is called: the field itself, or something inside it. In a batch it names the message
 * by its position. Undefined where a rule is about several fields.
 */
function nameOf(field: string): RegExp | undefined {
  const inBatch = /^emails\.(?:\*\.)?([^.*]+)/.exec(field);
  if (field.startsWith("emails.") && inBatch !== null)
    return new RegExp(`^emails\\.\\d+\\.${inBatch[1]}(\\.|$)`);
  const [top] = field.split(".");
  return top === undefined || top === "*" ? undefined : new RegExp(`^${top}(\\.|$)`);
}

/** The mock: the examples of the document as they are. */
export const onMock: Way = {
  isPromised: () => true,
  needs: () => [],
  namesFields: false,
  ask: (tester, { operation, body, headers }) =>
    tester.request(operation as OperationId, { path: anyPath(operation as OperationId), body, headers }),
};

const barredFromBatch = /\.(attachments|scheduled_at)$/;

/** A server that keeps state: with its own addresses, lists and templates in place of the examples'. */
export const onServer = (fixtures: Fixtures): Way => ({
  namesFields: true,
  /**
   * This leaves out fields that stand together although only one is meant, numbers in a field of another type, and numbers of
   * custom fields, of which an account may have fewer.
   */
  isPromised: ({ keyword, field, accepted }) => {
    if (keyword === "not") return barredFromBatch.test(field);
    if (field === "fields" && keyword === "maxProperties") return false;
    // That the value of an extra header is a text is how the document has it; a number that becomes one is no broken promise.
    if (keyword === "type" && field.endsWith("headers.*")) return false;
    return !(keyword === "type" && field === "fields.*" && accepted);
  },
  needs: ({ operation, body, field }) => [
    ...(operation.startsWith("send") ? (["domains.verified", "simulatorDomain"] as const) : []),
    ...(operation === "rescheduleEmail" ? (["domains.verified", "simulatorDomain"] as const) : []),
    ...(operation.endsWith("Contact") ? (["lists.plain"] as const) : []),
    ...(says(body, "template_id") ? (["template"] as const) : []),
    ...(says(body, "fields") ? (["fields.text", "fields.number", "fields.date", "fields.url"] as const) : []),
    ...(field.startsWith("attachments") && says(body, "path") ? (["attachmentLink"] as const) : []),
  ],
  ask: async (tester, { operation, body, headers, field, where }) => {
    const { path } = await validRequest(tester, operation as OperationId);
    const keepsLinks = field.startsWith("attachments");
    const target = { fixtures, own: tester.run.unique(), now: tester.run.now(), keepsLinks };
    // A key that was used before would be a conflict.
    const own = where === "header" ? uniqueKey(headers, tester) : headers;
    return tester.request(operation as OperationId, {
      ...(path === undefined ? {} : { path }),
      body: retargeted(body, target),
      headers: own,
    });
  },
});

const says = (body: unknown, name: string): boolean => JSON.stringify(body ?? null).includes(`"${name}":`);

/** The same headers, each as long as it was and with the run in it. */
function uniqueKey(headers: Record<string, string>, tester: Tester): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => {
    const own = tester.run.unique();
    return [name, value.length <= own.length ? value : own + value.slice(own.length)];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}
