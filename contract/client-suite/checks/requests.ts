import type { OperationId } from "../../../generated/operations.ts";
import { type ClientCheck, type ClientTester, check, testCase } from "../engine/client-tester.ts";
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

/** Asserts that an operation finds the message with an id, which a response returned. */
async function use(tester: ClientTester, id: string): Promise<void> {
  for (const operation of ["getEmail", "rescheduleEmail", "cancelEmail"] as const) {
    if (!tester.capabilities.operations.includes(operation)) continue;
    const made = response(200, { body: { ...responseExample(operation), id } });
    const title = `responds with the message ${id}`;
    const called = await callWith(tester, operation, made, { title, path: { id } });
    // A wrong id in the request is found there: without a request, the client makes demands on ids.
    called
      .about("SEND-32")
      .assert(called.wire.length === 1, "one request", `${called.wire.length} requests, ${called.outcome}`);
  }
}

/** Lets the client send a message, to which the service responds with an id, and returns the id as the client does. */
async function sentWith(tester: ClientTester, id: string): Promise<unknown> {
  const made = response(successOf("sendEmail"), { body: { ...responseExample("sendEmail"), id } });
  const title = `responds with the id ${id}`;
  const called = (await callWith(tester, "sendEmail", made, { title, body: newMessage() })).about("SEND-32");
  const returned = (called.result as { id?: unknown } | null)?.id;
  called.assert(returned === id, `the id ${JSON.stringify(id)}`, JSON.stringify(returned) ?? "no id");
  return returned;
}

export const urlChecks: ClientCheck[] = [
  check(
    "GEN-9",
    "an email address in a path is percent-encoded once, and its case is unchanged",
    // Upper case comes before those in which other letters are in upper case too.
    values.emails.map(({ title, emails: some }) =>
      testCase(title, { operation: "getContact" }, async (tester) => {
        const all = ["getContact", "unsubscribeContact"] as const;
        const operations = all.filter((one) => tester.capabilities.operations.includes(one));
        tester.assertHas(operations[0] ?? "getContact");
        for (const email of some) {
          await tester.request("upsertContact", { body: { email, list_id: 2 } });
          for (const operation of operations) {
            const body = operation === "unsubscribeContact" ? { body: { list_id: 2 } } : {};
            const called = await tester.call(operation, { path: { email }, ...body });
            // Whether an address may have other letters than those of ASCII is unspecified.
            const isSent = called.wire.length > 0 || !/^[ -~]*$/.test(email);
            called.assert(isSent, "a request with the email address");
          }
        }
      }),
    ),
  ),
  check(
    ["GEN-8", "SEND-32"],
    "an id is used exactly as a response returned it, whatever its form is",
    // Each is a text without a meaning for clients.
    values.ids.map(({ title, ids: some }) =>
      testCase(title, { operation: "sendEmail" }, async (tester) => {
        for (const id of some) await use(tester, String(await sentWith(tester, id)));
      }),
    ),
  ),
];
