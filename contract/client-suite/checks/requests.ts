import { isDeepStrictEqual } from "node:util";
import { type OperationId, operations } from "../../../generated/operations.ts";
import { jsonOf } from "../../../lib/objects.ts";
import { type ClientCheck, check, testCase } from "../engine/client-tester.ts";
import type { RecordedCall } from "../engine/recorded-call.ts";
import { requirementOf } from "../engine/reply-checks.ts";
import {
  bodiesOf,
  contact,
  everyAscii,
  existing,
  newMessage,
  scheduled,
  umlauts,
} from "../support/samples.ts";

/** The example bodies of an operation in the document; an operation without a body is called once. */
const bodies = (operation: OperationId): { body?: unknown }[] => {
  const all = Object.values(bodiesOf(operation)).map((body) => ({ body }));
  return all.length === 0 ? [{}] : all;
};

export const requestChecks: ClientCheck[] = [
  check(
    ["GEN-1", "GEN-3", "GEN-5", "AUTH-1"],
    "a call sends one request with the method, path, headers and body of its operation",
    (Object.keys(operations) as OperationId[]).map((operation) =>
      testCase(operation, { operation, core: true }, async (tester) => {
        tester.mustHave(operation);
        const path = await existing(tester, operation);
        for (const options of bodies(operation)) {
          const called = await tester.call(operation, { path, ...options });
          void called.about(requirementOf[operation]).result;
          called
            .about("GEN-1")
            .assert(called.wire.length === 1, "one request", `${called.wire.length} requests`);
        }
      }),
    ),
  ),
];

const base64 = (length: number): string =>
  Buffer.from(Array.from({ length }, (_, index) => (index * 167 + (index >> 8)) % 256)).toString("base64");

interface Body {
  title: string;
  operation: OperationId;
  body: Record<string, unknown>;
}

const rows: Body[] = [
  {
    title: "integers, decimals and large numbers",
    operation: "upsertContact",
    body: contact({
      fields: {
        zero: 0,
        whole: 3,
        negative: -7,
        decimal: 12.5,
        tenth: 0.1,
        small: 1e-7,
        large: 2 ** 53 - 1,
      },
    }),
  },
  {
    title: "a list id beyond 32 bits",
    operation: "upsertContact",
    body: contact({ list_id: 2 ** 53 - 1 }),
  },
  {
    title: "texts that look like other values",
    operation: "upsertContact",
    body: contact({
      first_name: "null",
      last_name: "007",
      fields: {
        city: "true",
        orders: "12",
        birthday: "1984-02-29",
        website: "https://ada.example/?a=b&c=%20#d",
      },
    }),
  },
  {
    title: "nulls in custom fields",
    operation: "upsertContact",
    body: contact({ fields: { city: null, orders: null } }),
  },
  {
    title: "empty texts, arrays and objects",
    operation: "upsertContact",
    body: contact({ fields: {}, tags: [] }),
  },
  {
    title: "spaces at the ends of texts, and repeated items",
    operation: "upsertContact",
    body: contact({ first_name: " Ada\u00a0", last_name: "\tLovelace\n", tags: ["b", "a ", "b", " a"] }),
  },
  {
    title: "letters of other languages and emoji",
    operation: "sendEmail",
    body: newMessage({ subject: umlauts, html: `<p>${umlauts}</p>`, text: umlauts }),
  },
  {
    title: "quotes, backslashes, line breaks and markup",
    operation: "sendEmail",
    body: newMessage({
      html: '<a href="https://bakery.example/?a=1&amp;b=2">"it\'s"</a><!-- </script> --> \\u0041 \\n',
      text: 'One\nTwo\r\nThree\tFour\u0000\u001f\u2028 "\\" {{name}} $name %s %41 +',
    }),
  },
  {
    title: "attachments",
    operation: "sendEmail",
    body: newMessage({
      attachments: [
        { filename: "Übersicht 📎.pdf", content: base64(200_000), content_type: "application/pdf" },
        { filename: "one.bin", content: base64(1) },
        { filename: "two.png", content: base64(255), content_id: "logo@bakery", content_type: "image/png" },
      ],
    }),
  },
  {
    title: "tags with every character",
    operation: "sendEmail",
    body: newMessage({
      tags: {
        "Order_No.1:a-b": everyAscii,
        snake_case: "",
        camelCase: umlauts,
        UPPER: "0",
        "9": "x".repeat(128),
        constructor: "false",
      },
    }),
  },
  {
    title: "extra headers",
    operation: "sendEmail",
    body: newMessage({
      headers: {
        "X-Campaign": everyAscii,
        "X-lower_case": "",
        "List-Unsubscribe": "<mailto:leave@bakery.example?subject=a%20b>, <https://bakery.example/leave>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
    }),
  },
  {
    title: "a batch of 100 messages, in its order",
    operation: "sendBatch",
    body: { emails: Array.from({ length: 100 }, () => newMessage()) },
  },
];

const times = [
  "2027-02-20T23:30:00-08:00",
  "2027-02-21T21:30:00+14:00",
  "2027-02-21T13:15:00.123+05:45",
  "2027-02-21T07:30:00Z",
];

export const bodyChecks: ClientCheck[] = [
  check(
    "GEN-3",
    "a body equals the input of the call, whatever its values are",
    rows.map(({ title, operation, body }) =>
      testCase(title, { operation }, async (tester) => {
        const called = await tester.call(operation, { body });
        called.assert(called.wire.length > 0, "a request");
      }),
    ),
  ),
  check("GEN-6", "times with offsets on both sides of UTC stay the same points in time", [
    testCase("", { operation: "rescheduleEmail" }, async (tester) => {
      tester.mustHave("rescheduleEmail");
      const path = { id: await scheduled(tester) };
      for (const time of times) {
        const called = await tester.call("rescheduleEmail", { path, body: { scheduled_at: time } });
        called.assert(called.wire.length > 0, "a request");
      }
    }),
  ]),
];

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
function assertNoContent(called: RecordedCall, message: unknown): void {
  const surplus = ofTemplate.filter((name) => Object.hasOwn(Object(message), name));
  called.assert(surplus.length === 0, `no ${ofTemplate.join(", ")} next to template_id`, surplus.join(", "));
}

/** The body of the only request of a call; empty if it is not an object. */
const sentBy = ({ request }: RecordedCall): object => Object(jsonOf(request.body.toString()));

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
