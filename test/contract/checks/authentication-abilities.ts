import type { OperationId } from "../../../generated/operations.ts";
import { type Check, check, type TestCase } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import { assertError, requestOk } from "../support/assertions.ts";
import { casePerOperation, requestToReject, validRequest } from "../support/requests.ts";

const ofEmail = ["sendEmail", "sendBatch", "getEmail", "rescheduleEmail", "cancelEmail"] as const;

const ofReading = ["listNewsletterLists", "listCustomFields", "getContact"] as const;

const ofManaging = ["upsertContact", "unsubscribeContact"] as const;

/** Good calls with a key that has the one ability they need and no other. */
const allowedCases = (operations: readonly OperationId[], role: Role, core: OperationId): TestCase[] =>
  casePerOperation(operations, [core], async (tester, operation) => {
    await requestOk(tester, operation, { ...(await validRequest(tester, operation)), key: role });
  });

/** Good calls with keys that have other abilities; the profile `core` tries the first of them. */
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
    "a key with email:send alone makes every e-mail call",
    allowedCases(ofEmail, "sendOnly", "getEmail"),
    { needs: ["keys.sendOnly"] },
  ),
  check(
    "AUTH-9",
    "a key with newsletter:read alone reads lists, custom fields and contacts",
    allowedCases(ofReading, "readOnly", "getContact"),
    { needs: ["keys.readOnly"] },
  ),
  check(
    "AUTH-10",
    "a key with newsletter:manage alone adds, updates and unsubscribes contacts",
    allowedCases(ofManaging, "manageOnly", "upsertContact"),
    { needs: ["keys.manageOnly"] },
  ),
  check(
    ["AUTH-8", "AUTH-15"],
    "an e-mail call without email:send is refused with 403 forbidden",
    forbiddenCases(ofEmail, "readOnly", "manageOnly"),
  ),
  check(
    ["AUTH-9", "AUTH-15"],
    "reading the newsletter without newsletter:read is refused with 403 forbidden",
    forbiddenCases(ofReading, "manageOnly", "sendOnly"),
  ),
  check(
    ["AUTH-10", "AUTH-15"],
    "a change of contacts without newsletter:manage is refused with 403 forbidden",
    forbiddenCases(ofManaging, "readOnly", "sendOnly"),
  ),
];
