import { type Check, check, testCase } from "../engine/check.ts";
import { requestOk } from "../support/assertions.ts";
import { getContact, newContact } from "../support/contacts.ts";
import { casePerOperation, validRequest } from "../support/requests.ts";

export const accounts: Check[] = [
  check("AUTH-4", "all keys of an account access the same data, each within its abilities", [
    ...casePerOperation(
      ["getEmail", "getContact", "rescheduleEmail", "cancelEmail", "unsubscribeContact"],
      ["getEmail", "getContact"],
      async (tester, operation) =>
        requestOk(tester, operation, { ...(await validRequest(tester, operation)), key: "second" }),
      { needs: ["keys.second"] },
    ),
    testCase(
      "a contact added with one key is found with another",
      { operation: "upsertContact", needs: ["lists.plain", "keys.manageOnly", "keys.readOnly"] },
      async (tester) => {
        const body = { email: newContact(tester), list_id: tester.settings.fixtures.lists?.plain };
        await requestOk(tester, "upsertContact", { body, key: "manageOnly" });
        await requestOk(tester, "getContact", { path: { email: body.email }, key: "readOnly" });
        await getContact(tester, body.email);
      },
    ),
  ]),
];
