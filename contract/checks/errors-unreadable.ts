import type { OperationId } from "../../generated/operations.ts";
import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertClientError } from "../support/assertions.ts";
import { batchOf, emailNeeds, message } from "../support/messages.ts";
import { quotaNeeds } from "../support/quota-account.ts";
import { assertNotCharged, measurements } from "../support/quota-charges.ts";
import { attempts, type ChangingOperation, rejectEach, type Spoil } from "../support/rejected-requests.ts";

const withText =
  (textOf: (json: string) => string, headers: Record<string, string> = {}): Spoil =>
  ({ body, ...valid }) => ({ ...valid, rawBody: textOf(JSON.stringify(body)), headers });

/** Bodies that are not JSON; each begins or ends like the valid one, if it has anything of it. */
const notJson: readonly Spoil[] = [
  withText(() => "not JSON"),
  withText((json) => json.slice(0, -1)),
  withText((json) => `${json}}`),
  withText((json) => `body=${encodeURIComponent(json)}`, {
    "content-type": "application/x-www-form-urlencoded",
  }),
];

/** An empty body, and one that is JSON without being an object. An unsubscribe needs no body. */
const withoutObject: readonly Spoil[] = [withText(() => ""), withText(() => "null")];

/** One case per send. Whether it had an effect shows in the quota. */
const ofSend = (operation: OperationId, bodyOf: (tester: Tester) => Record<string, unknown>): TestCase =>
  testCase(operation, { operation, core: operation === "sendEmail", needs: emailNeeds }, (tester) =>
    rejectEach(
      tester,
      operation,
      { body: bodyOf(tester) },
      [...notJson, ...withoutObject],
      assertClientError,
    ),
  );

/** One case per operation that changes a message or contact, which stays as it was. */
const ofChange = (
  operation: Exclude<ChangingOperation, "cancelEmail">,
  ways: readonly Spoil[] = [...notJson, ...withoutObject],
): TestCase =>
  testCase(
    operation,
    { operation, core: operation === "upsertContact", needs: attempts[operation].needs },
    (tester) => attempts[operation].attempt(tester, ways, assertClientError),
  );

export const unreadableBodies: Check[] = [
  check(
    ["ERR-10", "ERR-13"],
    "a body that is not a JSON object is rejected with a client error, and changes nothing",
    [
      ofSend("sendEmail", message),
      ofSend("sendBatch", (tester) => batchOf(message(tester))),
      testCase(
        "no quota is used",
        { operation: "sendEmail", core: false, needs: quotaNeeds },
        async (tester) =>
          assertNotCharged(await measurements(tester), "unreadable", "bodies that are not JSON"),
      ),
      ofChange("rescheduleEmail"),
      ofChange("upsertContact"),
      ofChange("unsubscribeContact", notJson),
    ],
  ),
];
