import { type ClientCheck, type ClientTester, check, testCase } from "../engine/client-tester.ts";
import { response } from "../service/disturbances.ts";
import { callWith, newMessage, responseExample, successOf } from "../support/samples.ts";
import values from "../support/values.json" with { type: "json" };

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
  const call = await callWith(tester, "sendEmail", made, { title, body: newMessage() });
  const called = call.about("SEND-32");
  const returned = (called.result as { id?: unknown } | null)?.id;
  called.assert(returned === id, `the id ${JSON.stringify(id)}`, JSON.stringify(returned) ?? "no id");
  return returned;
}

export const pathChecks: ClientCheck[] = [
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
