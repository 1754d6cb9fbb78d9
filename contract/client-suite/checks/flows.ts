import { isObject } from "../../../lib/objects.ts";
import { type ClientCheck, check, testCase } from "../engine/client-tester.ts";
import type { RecordedCall } from "../engine/recorded-call.ts";
import { requirementOf } from "../engine/reply-checks.ts";
import { newMessage } from "../support/samples.ts";

/** The result of a call as an object; without one, the requirement on the response of its operation fails. */
function resultOf(called: RecordedCall): Record<string, unknown> {
  const own = called.about(requirementOf(called.call.operation));
  own.assert(isObject(own.result), "an object as the result");
  return own.result as Record<string, unknown>;
}

/** Asserts properties of a result, unless they are missing: that is about the response of the operation. */
function assertHas(called: RecordedCall, expected: Record<string, unknown>): void {
  const result = { ...expected, ...resultOf(called) };
  for (const [name, value] of Object.entries(expected))
    called.assert(result[name] === value, `${name} ${JSON.stringify(value)}`, JSON.stringify(result[name]));
}

const idOf = (called: RecordedCall): string => String(resultOf(called).id);

function listOf(called: RecordedCall, name: string): Record<string, unknown>[] {
  const list = resultOf(called)[name];
  called.assert(Array.isArray(list) && list.every(isObject), `an array of objects as ${name}`);
  return list as Record<string, unknown>[];
}

/** Asserts that the service has found what an id stands for. */
function assertFound(called: RecordedCall): void {
  const [status] = called.wire.flatMap(({ response }) => response?.status ?? []);
  called.assert(status !== 404, "a request with an id that the service knows");
}

export const flowChecks: ClientCheck[] = [
  check(["SEND-32", "LOOK-1"], "a message is looked up by the id that its send returned", [
    testCase("", { operation: "sendEmail" }, async (tester) => {
      const tags = { order: "1042", kind: "receipt" };
      const sent = await tester.call("sendEmail", { body: newMessage({ tags }) });
      const id = idOf(sent);
      const first = await tester.call("getEmail", { path: { id } });
      assertFound(first.about("SEND-32"));
      assertHas(first.about("LOOK-1"), { id, status: "sent" });
      await tester.service.advance(5 * 60_000);
      const second = await tester.call("getEmail", { path: { id } });
      assertHas(second.about("LOOK-1"), { status: "delivered" });
    }),
  ]),
  check(["SEND-32", "BATCH-10"], "each message of a batch is looked up by its id", [
    testCase("", { operation: "sendBatch" }, async (tester) => {
      const emails = [newMessage(), newMessage(), newMessage()];
      const sent = await tester.call("sendBatch", { body: { emails } });
      for (const [index, { id }] of listOf(sent.about("BATCH-10"), "data").entries()) {
        const called = await tester.call("getEmail", { path: { id: String(id) } });
        assertFound(called.about("SEND-32"));
        assertHas(called.about("BATCH-10"), { subject: emails[index]?.subject });
      }
    }),
  ]),
  check(["GEN-8", "SCHED-9", "SCHED-15"], "a message is scheduled, rescheduled and canceled", [
    testCase("", { operation: "rescheduleEmail" }, async (tester) => {
      const body = newMessage({ scheduled_at: "2027-02-10T09:00:00+01:00" });
      const path = { id: idOf(await tester.call("sendEmail", { body })) };
      const change = { scheduled_at: "2027-02-12T18:30:00-05:00" };
      void (await tester.call("rescheduleEmail", { path, body: change })).about("SCHED-9").result;
      const canceled = await tester.call("cancelEmail", { path });
      assertHas(canceled.about("SCHED-15"), { status: "canceled" });
      const found = await tester.call("getEmail", { path });
      assertFound(found.about("GEN-8"));
      assertHas(found.about("SCHED-15"), { status: "canceled" });
    }),
  ]),
  check(["GEN-9", "CONT-3", "CONT-23", "UNSUB-9"], "a contact is added, looked up and unsubscribed", [
    testCase("", { operation: "upsertContact" }, async (tester) => {
      const email = "grace+news@readers.example";
      const fields = { city: "Zürich", orders: 12.5 };
      const body = { email, list_id: 2, first_name: "Grace", fields, tags: ["new"] };
      const added = await tester.call("upsertContact", { body });
      assertHas(added.about("CONT-3"), { email, status: "subscribed" });
      const found = await tester.call("getContact", { path: { email } });
      assertHas(found.about("CONT-23"), { email, marketing_blocked: false });
      const call = await tester.call("unsubscribeContact", { path: { email }, body: { list_id: 2 } });
      const left = call.about("UNSUB-9");
      assertHas(left, { email, marketing_blocked: false });
      const [membership] = listOf(left, "lists");
      left.assert(membership?.status === "unsubscribed", "the status unsubscribed");
    }),
  ]),
  check(["LIST-2", "LIST-6"], "a contact is added with the ids of lists and the keys of custom fields", [
    testCase("", { operation: "listNewsletterLists" }, async (tester) => {
      const lists = listOf((await tester.call("listNewsletterLists")).about("LIST-2"), "lists");
      const fields = listOf((await tester.call("listCustomFields")).about("LIST-6"), "fields");
      const key = String(fields.find(({ type }) => type === "text")?.key);
      for (const { id: list_id } of lists) {
        const body = { email: "katherine@readers.example", list_id, fields: { [key]: "Leeds" } };
        assertHas((await tester.call("upsertContact", { body })).about("LIST-2"), { list_id });
      }
    }),
  ]),
];
