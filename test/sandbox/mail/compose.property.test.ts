import fc from "fast-check";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { compose } from "../../../sandbox/mail/compose.ts";
import { message } from "./messages.ts";

/** Text of all characters, including lone surrogates and control characters. */
const text = fc.string({
  unit: fc.oneof(
    fc.nat(0xffff).map((code) => String.fromCharCode(code)),
    fc.constantFrom("\r", "\n", ":", '"'),
  ),
});
const address = fc.oneof(fc.emailAddress(), text);
const attachment = fc.oneof(
  fc.record({ filename: text, content: fc.base64String(), content_type: text, content_id: text }),
  fc.record({ filename: text, path: fc.oneof(fc.webUrl(), text) }),
);
const content = fc.record({
  ...{ subject: text, html: fc.option(text), text: fc.option(text), reply_to: fc.option(address) },
  headers: fc.dictionary(
    fc.oneof(
      text,
      text.map((end) => `X-${end}`),
    ),
    text,
    { maxKeys: 10 },
  ),
  attachments: fc.array(attachment, { maxLength: 4 }),
});
const envelope = fc.record({
  from: address,
  to: fc.array(address, { maxLength: 3 }),
  cc: fc.array(address, { maxLength: 3 }),
});

test("every record gives a valid message, the same twice, with its own headers only", async () => {
  await fc.assert(
    fc.asyncProperty(envelope, content, async (addresses, says) => {
      const record = message(
        { ...addresses, bcc: ["secret@bcc.example"] },
        says as Parameters<typeof message>[1],
      );
      const bytes = Buffer.from(await compose(record)).toString("latin1");
      expect(Buffer.from(await compose(record)).toString("latin1")).toBe(bytes);
      expect(bytes.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
      const { headers, attachments } = await PostalMime.parse(bytes);
      for (const { key } of headers)
        expect(key).toMatch(/^(x-.*|from|to|cc|reply-to|subject|message-id|date|mime-version|content-.+)$/);
      expect(headers.filter(({ key }) => key === "message-id")).toHaveLength(1);
      expect(attachments).toHaveLength(says.attachments.length);
    }),
    { numRuns: 150 },
  );
});
