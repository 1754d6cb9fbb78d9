import { type OperationId, operations } from "../../generated/operations.ts";
import { onMock, validationChecks } from "../case-requirements/validation-checks.ts";
import { differenceOf } from "../difference.ts";
import { document, examplesOf, operationsOf, type ResponseObject, resolve } from "../document.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import { pathOf, type RawRequest } from "../exchange.ts";
import { assertError, assertStatusCode, assertSuccess, format } from "../support/assertions.ts";

/** All named examples of responses, in the order of the document. */
const responseExamples = operationsOf(document).flatMap(({ id, operation }) =>
  Object.entries(operation.responses).flatMap(([key, reference]) => {
    const { headers = {}, content = {} } = resolve<ResponseObject>(document, reference);
    return Object.entries(examplesOf(document, content["application/json"]?.examples)).map(
      ([name, value]) => ({
        operation: id as OperationId,
        /** The status in the document: `202`, `2XX`. */
        key,
        /** The status to request: 200 for `2XX`. */
        status: Number(key.replace("XX", "00")),
        name,
        value,
        /** The documented headers of the response. */
        headers: Object.keys(headers),
      }),
    );
  }),
);

/** A valid request from the examples of the body and the path parameters. */
function exampleRequest(operation: OperationId): RawRequest {
  const { method, path } = operations[operation];
  const placed = operationsOf(document).find(({ id }) => id === operation);
  const inPath = placed?.parameters.filter((parameter) => parameter.in === "path") ?? [];
  const values = Object.fromEntries(inPath.map(({ name, example }) => [name, String(example)]));
  return { operation, method, path: pathOf(path, values), body: Object.values(placed?.bodies ?? {})[0] };
}

const all = Object.keys(operations) as OperationId[];

export const mockChecks: Check[] = [
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
      testCase(operation, { operation }, async (tester) => {
        const request = { ...exampleRequest(operation), key: null };
        assertError(await tester.rawRequest(request), 401, "unauthorized");
      }),
    ),
  ),
  check(
    ["GEN-1", "ERR-1"],
    "every documented response is returned on request, as in the document",
    responseExamples.map(({ operation, key, status, name, value, headers }) =>
      testCase(`${operation} ${key} ${name}`, { operation }, async (tester) => {
        // An example is requested by its name (`Prefer`, RFC 7240).
        const prefer = { prefer: `code=${status}, example=${name}` };
        const exchange = await tester.rawRequest({ ...exampleRequest(operation), headers: prefer });
        assertStatusCode(exchange, status);
        const { at, one, other } = differenceOf(value, exchange.json) ?? {};
        assert(at === undefined, exchange, {
          expected: `the example ${name} as in the document`,
          found: `${format(other)} instead of ${format(one)} ${at === "" ? "as the body" : `at ${at}`}`,
        });
        // A mock sends all documented headers, including those that a service sends only sometimes.
        const missing = headers.filter((header) => !(header.toLowerCase() in exchange.headers));
        assert(missing.length === 0, exchange, { expected: `header ${missing[0]}`, found: "no such header" });
      }),
    ),
  ),
];

export const checksOfMock = (): Check[] => [...mockChecks, ...validationChecks(onMock)];
