import { isDeepStrictEqual } from "node:util";
import type { OperationId } from "../../../generated/operations.ts";
import { jsonOf } from "../../../lib/objects.ts";
import { type ClientCheck, check, testCase } from "../engine/client-tester.ts";
import type { RecordedCall } from "../engine/recorded-call.ts";
import { requirementOf } from "../engine/reply-checks.ts";
import { response } from "../service/disturbances.ts";
import { generatedRequests } from "../support/generated-bodies.ts";
import {
  bodiesOf,
  byProduct,
  callWith,
  contact,
  existing,
  letters,
  newMessage,
  operationIds,
  responseExample,
  scheduled,
} from "../support/samples.ts";
import values from "../support/values.json" with { type: "json" };

export const requestChecks: ClientCheck[] = [
  check(
    ["GEN-1", "GEN-3", "GEN-5", "AUTH-1"],
    "a call sends one request with the method, path, headers and body of its operation",
    operationIds.map((operation) =>
      testCase(operation, { operation, core: true }, async (tester) => {
        tester.mustHave(operation);
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

const base64 = (length: number): string =>
  Buffer.from(Array.from({ length }, (_, index) => (index * 167 + (index >> 8)) % 256)).toString("base64");

/** Bodies with more than a message or a contact must have. */
const rows: { title: string; operation: string; body: Record<string, unknown> }[] = [
  ...values.bodies,
  {
    title: "attachments",
    operation: "sendEmail",
    body: {
      attachments: [
        { filename: "Übersicht 📎.pdf", content: base64(200_000), content_type: "application/pdf" },
        { filename: "one.bin", content: base64(1) },
        { filename: "one.bin", content: base64(2) },
        { filename: "two.png", content: base64(255), content_id: "logo@bakery", content_type: "image/png" },
      ],
    },
  },
];

/** The body of a row with what it must have. */
const completed = (operation: string, body: Record<string, unknown>): Record<string, unknown> =>
  operation === "sendEmail" ? newMessage(body) : operation === "upsertContact" ? contact(body) : body;

export const bodyChecks: ClientCheck[] = [
  check("GEN-3", "a body equals the input of the call, whatever its values are", [
    ...rows.map(({ title, operation, body }) =>
      testCase(title, { operation: operation as OperationId }, async (tester) => {
        const called = await tester.call(operation as OperationId, { body: completed(operation, body) });
        called.assert(called.wire.length > 0, "a request");
      }),
    ),
    ...byProduct(async (tester, ids) => {
      for (const operation of ids)
        for (const body of generatedRequests(operation)) {
          const made = response(200, { body: responseExample(operation) });
          const called = await callWith(tester, operation, made, { body });
          called.assert(called.wire.length > 0, "a request");
        }
    }),
  ]),
  check("GEN-6", "times with offsets on both sides of UTC stay the same points in time", [
    testCase("", { operation: "rescheduleEmail" }, async (tester) => {
      tester.mustHave("rescheduleEmail");
      const path = { id: await scheduled(tester) };
      for (const time of values.times) {
        const called = await tester.call("rescheduleEmail", { path, body: { scheduled_at: time } });
        called.assert(called.wire.length > 0, "a request");
      }
    }),
  ]),
];

/** What a message from a template takes from there. */
const ofTemplate = ["subject", "html", "text"];

/** Asserts that a message as it arrived has nothing that its template has. */
function assertNoContent(called: RecordedCall, message: unknown): void {
  const surplus = ofTemplate.filter((name) => Object.hasOwn(Object(message), name));
  called.assert(surplus.length === 0, `no ${ofTemplate.join(", ")} next to template_id`, surplus.join(", "));
}

/** The body of the only request of a call; empty if it is not an object. */
const sentBy = ({ request }: RecordedCall): object => Object(jsonOf(request.body.toString()));

export const sendingChecks: ClientCheck[] = [
  check("SEND-13", "html and text both arrive", [
    testCase("", { operation: "sendEmail" }, async (tester) => {
      const bodies = { html: `<p>${letters}</p>`, text: letters };
      const called = await tester.call("sendEmail", { body: newMessage(bodies) });
      void called.result;
      const outbox = (await tester.service.messages()).join("\n");
      const missing = Object.values(bodies).filter((one) => !outbox.includes(JSON.stringify(one)));
      called.assert(missing.length === 0, "html and text in the outbox", `no ${missing.join(", no ")}`);
    }),
  ]),
  check("SEND-15", "a message from a template has no subject, html or text", [
    testCase("sendEmail", { operation: "sendEmail" }, async (tester) => {
      const called = await tester.call("sendEmail", { body: values.template });
      assertNoContent(called, sentBy(called));
      void called.result;
    }),
    testCase("sendBatch", { operation: "sendBatch" }, async (tester) => {
      const called = await tester.call("sendBatch", { body: { emails: [newMessage(), values.template] } });
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
      const detail = `Ticked "newsletter" at the checkout of order 1042;\n${letters}`;
      const body = contact({ consent: { detail, ip: "2001:db8::17", user_agent: "Firefox/145.0 (X11)" } });
      const called = await tester.call("upsertContact", { body });
      const found = (sentBy(called) as { consent?: { detail?: unknown } }).consent?.detail;
      called.assert(found === detail, detail, String(found));
      void called.result;
    }),
  ]),
];
