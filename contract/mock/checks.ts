import { type OperationId, operations } from "../../generated/operations.ts";
import { onMock, validationChecks } from "../bounds/bounds.ts";
import { firstDifference } from "../difference.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertError, assertSuccess } from "../support/assertions.ts";
import { exampleRequest, type ResponseExample, responseExamples } from "./examples.ts";

const all = Object.keys(operations) as OperationId[];

/** The checks of a mock server. */
export const checksOfMock = (): Check[] => [
  check(
    "AUTH-1",
    "a valid request with its key as a bearer token is accepted",
    all.map((operation) =>
      testCase(operation, { operation }, async (tester) =>
        assertSuccess(await tester.rawRequest(exampleRequest(operation))),
      ),
    ),
  ),
  check(
    "AUTH-12",
    "a request without a key is rejected with 401 unauthorized",
    all.map((operation) =>
      testCase(operation, { operation }, async (tester) =>
        assertError(
          await tester.rawRequest({ ...exampleRequest(operation), key: null }),
          401,
          "unauthorized",
        ),
      ),
    ),
  ),
  check(
    ["GEN-1", "ERR-1"],
    "every documented response is returned on request, as in the document",
    responseExamples.map((example) =>
      testCase(
        `${example.operation} ${example.key} ${example.name}`,
        { operation: example.operation },
        (tester) => assertExample(tester, example),
      ),
    ),
  ),
  ...validationChecks(onMock),
];

/** Requests an example by name (`Prefer`, RFC 7240). */
async function assertExample(
  tester: Tester,
  { operation, status, name, value, headers }: ResponseExample,
): Promise<void> {
  const prefer = { prefer: `code=${status}, example=${name}` };
  const exchange = await tester.rawRequest({ ...exampleRequest(operation), headers: prefer });
  assert(exchange.status === status, exchange, {
    expected: `status ${status}`,
    found: `status ${exchange.status}`,
  });
  const difference = firstDifference(value, exchange.json);
  const expected = `the example ${name} as in the document`;
  assert(difference === undefined, exchange, { expected, found: difference ?? "" });
  // A mock sends all documented headers, including those that a service sends only sometimes.
  const missing = headers.filter((header) => !(header.toLowerCase() in exchange.headers));
  assert(missing.length === 0, exchange, { expected: `header ${missing[0]}`, found: "no such header" });
}
