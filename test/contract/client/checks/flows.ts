import { isObject } from "../../../../lib/is-object.ts";
import type { Called } from "../engine/called.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import type { ClientTester } from "../engine/client-tester.ts";
import { newMessage } from "../support/calls.ts";

/** The result of a call as an object. */
function resultOf(called: Called): Record<string, unknown> {
  const { result } = called;
  called.assert(isObject(result), "an object as the result");
  return result as Record<string, unknown>;
}

/** Asserts properties of a result. */
function assertHas(called: Called, expected: Record<string, unknown>): void {
  const result = resultOf(called);
  for (const [name, value] of Object.entries(expected))
    called.assert(result[name] === value, `${name} ${JSON.stringify(value)}`, JSON.stringify(result[name]));
}

/** The id in a result, as a text. */
const idOf = (called: Called): string => String(resultOf(called).id);

/** The objects of a list in a result. */
const listOf = (called: Called, name: string): Record<string, unknown>[] => {
  const list = resultOf(called)[name];
  called.assert(Array.isArray(list) && list.every(isObject), `an array of objects as ${name}`);
  return list as Record<string, unknown>[];
};

/** Notes if each call opens a connection, which makes them slower. */
function adviseReuse(tester: ClientTester, calls: Called[]): void {
  const requests = calls.flatMap(({ wire }) => wire.map(({ request }) => request.connection));
  if (requests.length > 2 && new Set(requests).size === requests.length)
    tester.information.add("Each call opens a connection of its own; reusing one is faster.");
}

export const flowChecks: ClientCheck[] = [
  check(["SEND-32", "LOOK-1"], "a message is looked up by the id that its send returned", [
    testCase("", { operation: "sendEmail" }, async (tester) => {
      const tags = { order: "1042", kind: "receipt" };
      const sent = await tester.call("sendEmail", { body: newMessage({ tags }) });
      const id = idOf(sent);
      const first = await tester.call("getEmail", { path: { id } });
      assertHas(first, { id, status: "sent" });
      await tester.advance(5 * 60_000);
      const second = await tester.call("getEmail", { path: { id } });
      assertHas(second, { id, status: "delivered" });
      adviseReuse(tester, [sent, first, second]);
    }),
  ]),
  check(["SEND-32", "BATCH-10"], "each message of a batch is looked up by its id", [
    testCase("", { operation: "sendBatch" }, async (tester) => {
      const emails = [newMessage(), newMessage(), newMessage()];
      const items = listOf(await tester.call("sendBatch", { body: { emails } }), "data");
      for (const [index, { id }] of items.entries()) {
        const called = await tester.call("getEmail", { path: { id: String(id) } });
        assertHas(called, { id, subject: emails[index]?.subject });
      }
    }),
  ]),
  check(["GEN-8", "SCHED-9", "SCHED-15"], "a message is scheduled, rescheduled and canceled", [
    testCase("", { operation: "rescheduleEmail" }, async (tester) => {
      const body = newMessage({ scheduled_at: "2027-02-10T09:00:00+01:00" });
      const path = { id: idOf(await tester.call("sendEmail", { body })) };
      const change = { scheduled_at: "2027-02-12T18:30:00-05:00" };
      void (await tester.call("rescheduleEmail", { path, body: change })).result;
      assertHas(await tester.call("cancelEmail", { path }), { status: "canceled" });
      assertHas(await tester.call("getEmail", { path }), { ...path, status: "canceled" });
    }),
  ]),
  check(["GEN-9", "CONT-23", "UNSUB-9"], "a contact is added, looked up and unsubscribed", [
    testCase("", { operation: "upsertContact" }, async (tester) => {
      const email = "grace+news@readers.example";
      const fields = { city: "Zürich", orders: 12.5 };
      const body = { email, list_id: 2, first_name: "Grace", fields, tags: ["new"] };
      assertHas(await tester.call("upsertContact", { body }), { email, status: "subscribed" });
      assertHas(await tester.call("getContact", { path: { email } }), { email, marketing_blocked: false });
      const left = await tester.call("unsubscribeContact", { path: { email }, body: { list_id: 2 } });
      assertHas(left, { email, marketing_blocked: false });
      const [membership] = listOf(left, "lists");
      left.assert(membership?.status === "unsubscribed", "the status unsubscribed");
    }),
  ]),
  check(["LIST-2", "LIST-6"], "a contact is added with the ids of lists and the keys of custom fields", [
    testCase("", { operation: "listNewsletterLists" }, async (tester) => {
      const lists = listOf(await tester.call("listNewsletterLists"), "lists");
      const fields = listOf(await tester.call("listCustomFields"), "fields");
      const key = String(fields.find(({ type }) => type === "text")?.key);
      for (const { id: list_id } of lists) {
        const body = { email: "katherine@readers.example", list_id, fields: { [key]: "Leeds" } };
        assertHas(await tester.call("upsertContact", { body }), { list_id });
      }
    }),
  ]),
];
