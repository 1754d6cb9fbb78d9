import type { OperationId } from "../../../generated/operations.ts";
import { type ClientCheck, check, testCase } from "../engine/client-tester.ts";
import { requirementOf } from "../engine/reply-checks.ts";
import { response } from "../service/disturbances.ts";
import { generatedRequests } from "../support/generated-bodies.ts";
import {
  bodiesOf,
  byProduct,
  callWith,
  contact,
  existing,
  newMessage,
  operationIds,
  responseExample,
  successOf,
} from "../support/samples.ts";
import values from "../support/values.json" with { type: "json" };

export const requestChecks: ClientCheck[] = [
  check(
    ["GEN-1", "GEN-3", "GEN-5", "AUTH-1"],
    "a call sends one request with the method, path, headers and body of its operation",
    operationIds.map((operation) =>
      testCase(operation, { operation, core: true }, async (tester) => {
        tester.assertHas(operation);
        const path = await existing(tester, operation);
        const bodies = Object.values(bodiesOf(operation));
        // An operation without a body is called once.
        for (const body of bodies.length === 0 ? [undefined] : bodies) {
          const called = await tester.call(operation, { path, body });
          void called.about(requirementOf(operation)).result;
          void called.about("GEN-1").request;
        }
      }),
    ),
  ),
];

const longFile = {
  filename: "Übersicht 📎.pdf",
  // Bytes that no text has.
  content: Buffer.from(Array.from({ length: 200_000 }, (_, index) => index * 167 + (index >> 8))).toString(
    "base64",
  ),
};

/** Bodies with what generated ones do not have: empty values, equal entries and long files. */
const written: Partial<Record<OperationId, unknown[]>> = {
  sendEmail: [...values.requests.sendEmail, { attachments: [longFile] }].map(newMessage),
  upsertContact: values.requests.upsertContact.map(contact),
  unsubscribeContact: values.requests.unsubscribeContact,
};

const ofProducts = byProduct(async (tester, ids) => {
  for (const operation of ids)
    for (const body of [...(written[operation] ?? []), ...generatedRequests(operation)]) {
      const made = response(successOf(operation), { body: responseExample(operation) });
      const called = await callWith(tester, operation, made, { body });
      called.about("GEN-3").assert(called.wire.length > 0, "a request");
    }
});

// That a body equals the input, and which requirements a difference violates, is checked in every request.
export const bodyChecks: ClientCheck[] = [
  check(
    ["GEN-3", "GEN-6", "SEND-13", "SEND-15", "SEND-28"],
    "messages and times arrive as in the input, whatever their values are",
    ofProducts.slice(0, 1),
  ),
  check(
    ["GEN-3", "CONT-18"],
    "contacts arrive as in the input, whatever their values are",
    ofProducts.slice(1),
  ),
];
