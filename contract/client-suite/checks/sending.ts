import { isDeepStrictEqual } from "node:util";
import type { Called } from "../engine/called.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import { jsonOf } from "../engine/to-exchange.ts";
import { newMessage } from "../support/calls.ts";
import { contact, umlauts } from "../support/values.ts";

const fromTemplate = {
  from: "hello@bakery.example",
  to: ["ada@readers.example"],
  template_id: "order-ready",
  variables: {
    name: umlauts,
    order: "1042",
    firstName: "Ada",
    first_name: "Ada",
    "a b": "",
    constructor: "0",
  },
};

/** What a message from a template takes from there. */
const ofTemplate = ["subject", "html", "text"];

/** Asserts that a message as it arrived has nothing that its template has. */
function assertNoContent(called: Called, message: unknown): void {
  const surplus = ofTemplate.filter((name) => Object.hasOwn(Object(message), name));
  called.assert(surplus.length === 0, `no ${ofTemplate.join(", ")} next to template_id`, surplus.join(", "));
}

/** The body of the only request of a call; empty if it is not an object. */
const sentBy = ({ request }: Called): object => Object(jsonOf(request.body.toString()));

export const sendingChecks: ClientCheck[] = [
  check("SEND-13", "html and text both arrive", [
    testCase("", { operation: "sendEmail" }, async (tester) => {
      const bodies = { html: `<p>${umlauts}</p>`, text: umlauts };
      const called = await tester.call("sendEmail", { body: newMessage(bodies) });
      void called.result;
      const outbox = (await tester.messages()).join("\n");
      const missing = Object.values(bodies).filter((one) => !outbox.includes(JSON.stringify(one)));
      called.assert(missing.length === 0, "html and text in the outbox", `no ${missing.join(", no ")}`);
    }),
  ]),
  check("SEND-15", "a message from a template has no subject, html or text", [
    testCase("sendEmail", { operation: "sendEmail" }, async (tester) => {
      const called = await tester.call("sendEmail", { body: fromTemplate });
      assertNoContent(called, sentBy(called));
      void called.result;
    }),
    testCase("sendBatch", { operation: "sendBatch" }, async (tester) => {
      const called = await tester.call("sendBatch", { body: { emails: [newMessage(), fromTemplate] } });
      assertNoContent(called, (sentBy(called) as { emails?: unknown[] }).emails?.[1]);
      void called.result;
    }),
  ]),
  check("SEND-28", "X-Entity-Ref-ID arrives unchanged, different in each message", [
    testCase("", { operation: "sendBatch" }, async (tester) => {
      const ids = ["order-1042", "Order-1042", "0", "7f9c0e6a-51f3-4c55-9a3e-1d0d6c3b2a11"];
      const emails = ids.map((id) => newMessage({ headers: { "X-Entity-Ref-ID": id } }));
      const called = await tester.call("sendBatch", { body: { emails } });
      const { emails: sent } = sentBy(called) as { emails?: { headers?: Record<string, string> }[] };
      const found = (sent ?? []).map(({ headers }) => headers?.["X-Entity-Ref-ID"]);
      called.assert(isDeepStrictEqual(found, ids), ids.join(", "), found.join(", "));
      void called.result;
    }),
  ]),
  check("CONT-18", "consent.detail arrives in the words of the input", [
    testCase("", { operation: "upsertContact" }, async (tester) => {
      const detail = `Ticked "newsletter" at the checkout of order 1042;\n${umlauts}`;
      const body = contact({ consent: { detail, ip: "2001:db8::17", user_agent: "Firefox/145.0 (X11)" } });
      const called = await tester.call("upsertContact", { body });
      const found = (sentBy(called) as { consent?: { detail?: unknown } }).consent?.detail;
      called.assert(found === detail, detail, String(found));
      void called.result;
    }),
  ]),
];
