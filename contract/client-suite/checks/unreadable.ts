import { type OperationId, operations } from "../../../generated/operations.ts";
import { documented, mayOmitBody } from "../../response-checks/documented.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import { differenceOf } from "../engine/compare.ts";
import { respondsAfterwardsWith, respondsWith, response } from "../service/disturbances.ts";
import { newMessage, sampleCall } from "../support/calls.ts";
import { responseExample } from "../support/examples.ts";
import { byProduct } from "../support/products.ts";
import { finalError, htmlPage } from "../support/replies.ts";

const json = { "content-type": "application/json" };

const mediaTypes = [
  "application/json; charset=utf-8",
  'application/json;charset="UTF-8"',
  "Application/JSON",
];
const unreadable = [
  { title: "an HTML page", more: htmlPage },
  { title: "no body", more: { headers: json } },
  { title: "half a JSON text", more: { headers: json, body: '{"id":"msg_1","events":[{"type":"se' } },
];

const successOf = (operation: OperationId): number => Number(operations[operation].success[0]) || 200;

/** Whether the body of a success is specified. */
function hasBody(operation: OperationId): boolean {
  const row = documented(operation, successOf(operation));
  return row !== undefined && !mayOmitBody(row);
}

export const unreadableChecks: ClientCheck[] = [
  check("GEN-4", "a success is read whatever the form of its media type is", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      const typed = (type: string) => {
        const made = response(200, { headers: { "content-type": type }, body: responseExample("getEmail") });
        const disturb = [respondsWith(made, `responds with the media type ${type}`)];
        return tester.call("getEmail", { ...sampleCall("getEmail"), disturb, isCompared: false });
      };
      const { result } = (await typed("application/json")).about("LOOK-1");
      for (const type of mediaTypes) {
        const called = await typed(type);
        const difference = differenceOf(result, called.result);
        called.assert(
          difference === undefined,
          "the same result as with application/json",
          `a result in which ${difference}`,
        );
      }
    }),
  ]),
  check("GEN-4", "a success that is not JSON is an error, and a message is not sent again", [
    ...byProduct(async (tester, ids) => {
      for (const operation of ids.filter(hasBody))
        for (const { title, more } of unreadable) {
          const made = response(successOf(operation), more);
          const disturb = Array(20).fill(respondsWith(made, `responds with ${made.status} and ${title}`));
          finalError(await tester.call(operation, { ...sampleCall(operation), disturb }));
        }
    }),
    testCase("after a send", { operation: "sendEmail" }, async (tester) => {
      const body = newMessage();
      const made = response(202, { headers: json, body: '{"id":"msg_1","to":[' });
      const called = await tester.call("sendEmail", {
        body,
        disturb: Array(20).fill(respondsAfterwardsWith(made)),
      });
      finalError(called);
    }),
  ]),
];
