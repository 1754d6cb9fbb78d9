import type { OperationId } from "../../../generated/operations.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import { newMessage } from "../support/calls.ts";
import { contact, everyAscii, scheduled, umlauts } from "../support/values.ts";

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
