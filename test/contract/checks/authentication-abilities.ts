import type { OperationId } from "../../../generated/operations.ts";
import { type Check, check, type TestCase } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import { assertError, requestOk } from "../support/assertions.ts";
import { casePerOperation, requestToReject, validRequest } from "../support/requests.ts";

const ofEmail = ["sendEmail", "sendBatch", "getEmail", "rescheduleEmail", "cancelEmail"] as const;

const ofReading = ["listNewsletterLists", "listCustomFields", "getContact"] as const;

const ofManaging = ["upsertContact", "unsubscribeContact"] as const;

/** Valid requests with a key that has only the ability they need. */
const allowedCases = (operations: readonly OperationId[], role: Role, core: OperationId): TestCase[] =>
  casePerOperation(operations, [core], async (tester, operation) => {
    await requestOk(tester, operation, { ...(await validRequest(tester, operation)), key: role });
  });

/** Valid requests with keys that have other abilities; the profile `core` includes only the first key. */
const forbiddenCases = (operations: readonly OperationId[], first: Role, other: Role): TestCase[] =>
  [first, other].flatMap((role) =>
    casePerOperation(operations, role === first ? operations : [], async (tester, operation) => {
      const options = await requestToReject(tester, operation);
      assertError(await tester.request(operation, { ...options, key: role }), 403, "forbidden");
    }).map((testCase) => ({
      ...testCase,
      title: `${testCase.title} with the key ${role}`,
      needs: [...(testCase.needs ?? []), `keys.${role}` as const],
    })),
  );

export const abilities: Check[] = [
  check(
    "AUTH-8",
    "a key with only email:send can use every email operation",
    allowedCases(ofEmail, "sendOnly", "getEmail"),
    { needs: ["keys.sendOnly"] },
  ),
  check(
    "AUTH-9",
    "a key with only newsletter:read can read lists, custom fields and contacts",
    allowedCases(ofReading, "readOnly", "getContact"),
    { needs: ["keys.readOnly"] },
  ),
  check(
    "AUTH-10",
    "a key with only newsletter:manage can add, update and unsubscribe contacts",
    allowedCases(ofManaging, "manageOnly", "upsertContact"),
    { needs: ["keys.manageOnly"] },
  ),
  check(
    ["AUTH-8", "AUTH-15"],
    "an email request without email:send is rejected with 403 forbidden",
    forbiddenCases(ofEmail, "readOnly", "manageOnly"),
  ),
  check(
    ["AUTH-9", "AUTH-15"],
    "reading newsletter data without newsletter:read is rejected with 403 forbidden",
    forbiddenCases(ofReading, "manageOnly", "sendOnly"),
  ),
  check(
    ["AUTH-10", "AUTH-15"],
    "changing contacts without newsletter:manage is rejected with 403 forbidden",
    forbiddenCases(ofManaging, "readOnly", "sendOnly"),
  ),
];
