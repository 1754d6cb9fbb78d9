import { type OperationId, operations } from "../../../generated/operations.ts";
import { boundsOf, onMock } from "../bounds/bounds.ts";
import { ofBatch, ofContact, ofReschedule, ofSend, ofUnsubscribe } from "../bounds/laws.ts";
import { firstDifference } from "../difference.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import { assertError, assertSuccess } from "../support/assertions.ts";
import { type AnswerExample, everyAnswer, exampleCall } from "./answers.ts";

const all = Object.keys(operations) as OperationId[];

/** What a server shows that answers with the example it is asked for. */
export const checksOfMock = (): Check[] => [
  check(
    "AUTH-1",
    "a good call with its key as a bearer token is let in",
    all.map((operation) =>
      testCase(operation, { operation }, async (tester) =>
        assertSuccess(await tester.rawRequest(exampleCall(operation))),
      ),
    ),
  ),
  check(
    "AUTH-12",
    "a call without a key is answered 401 unauthorized",
    all.map((operation) =>
      testCase(operation, { operation }, async (tester) =>
        assertError(await tester.rawRequest({ ...exampleCall(operation), key: null }), 401, "unauthorized"),
      ),
    ),
  ),
  check(
    ["GEN-1", "ERR-1"],
    "every documented answer comes when it is asked for, as it stands in the document",
    everyAnswer.map((answer) =>
      testCase(
        `${answer.operation} ${answer.key} ${answer.example}`,
        { operation: answer.operation },
        (tester) => isTheExample(tester, answer),
      ),
    ),
  ),
  ...boundsOf("sendEmail", ofSend, onMock),
  ...boundsOf("sendBatch", ofBatch, onMock),
  ...boundsOf("rescheduleEmail", ofReschedule, onMock),
  ...boundsOf("upsertContact", ofContact, onMock),
  ...boundsOf("unsubscribeContact", ofUnsubscribe, onMock),
];

/** Asks for a certain example (`Prefer`, RFC 7240). */
const isTheExample: (
  tester: Parameters<Check["cases"][number]["run"]>[0],
  answer: AnswerExample,
) => Promise<void> = async (tester, { operation, status, example, value, headers }) => {
  const prefer = { prefer: `code=${status}, example=${example}` };
  const exchange = await tester.rawRequest({ ...exampleCall(operation), headers: prefer });
  assert(exchange.status === status, exchange, {
    expected: `status ${status}`,
    found: `status ${exchange.status}`,
  });
  const difference = firstDifference(value, exchange.json);
  const expected = `the example ${example} as it stands in the document`;
  assert(difference === undefined, exchange, { expected, found: difference ?? "" });
  // A mock sends every header that the document gives the answer, those too that a service sends only at times.
  const missing = headers.filter((name) => !(name.toLowerCase() in exchange.headers));
  assert(missing.length === 0, exchange, { expected: `the header ${missing[0]}`, found: "no such header" });
};
