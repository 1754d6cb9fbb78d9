import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import type { Message } from "../../../sandbox/domain/records.ts";
import { compose } from "../../../sandbox/mail/compose.ts";
import { file, message } from "./messages.ts";

/** Characters that mail software treats as a line end. */
const lineEnds = [
  "\r\n",
  "\n",
  "\r",
  "\u0085",
  "\u2028",
  "\u000b",
  "\u000c",
  "\u0000\r\n",
  "\r\n ",
  "\r\n\t",
  "=0D=0A",
  "%0d%0a",
];
const evil = "X-Evil: yes";

/** A message in which every text tries to add a header. */
function attack(end: string): Message {
  const bad = `a${end}${evil}${end}${end}<script>`;
  return message(
    { id: `msg_${bad}`, from: `hello@example.com${bad}`, to: [`ada@example.org${bad}`, bad], cc: [bad] },
    {
      ...{ subject: bad, reply_to: bad, html: bad, text: bad },
      headers: { "X-Good": bad, [`X-${bad}`]: "1", [bad]: "1", "List-Unsubscribe": bad },
      attachments: [
        file(bad, "x", { content_id: bad, content_type: `image/png${bad}` }),
        { filename: bad, path: bad },
      ],
    },
  );
}

describe("headers of the request", () => {
  test.each(lineEnds)("cannot be added with %j", async (end) => {
    const bytes = Buffer.from(await compose(attack(end))).toString("latin1");
    // Only bodies can have it at the start of a line, after the headers of their part.
    const heads = bytes.split(/\r\n(?=----_NmP-)/).map((part) => part.split("\r\n\r\n")[0] ?? "");
    for (const head of heads) expect(head).not.toMatch(/^X-Evil/im);
    expect(bytes.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect((await PostalMime.parse(bytes)).headers.map(({ key }) => key)).not.toContain("x-evil");
  });

  test.each([
    "Bcc",
    "To",
    "From",
    "Content-Type",
    "Received",
    "DKIM-Signature",
    "Sender",
    "Return-Path",
    "MIME-Version",
  ])("cannot be %s, even in a record that was never checked", async (name) => {
    const bytes = Buffer.from(
      await compose(message({}, { headers: { [name]: "evil@example.net" } })),
    ).toString();
    expect(bytes).not.toContain("evil@example.net");
  });

  test("cannot make one address two, nor a group", async () => {
    const to = ["ada@example.org, eve@example.net", "Friends: eve@example.net;", '"a" <eve@example.net>'];
    const mail = await PostalMime.parse(await compose(message({ to })));
    expect(mail.to?.flatMap((entry) => (entry.group ? ["a group"] : [entry.address]))).not.toContain(
      "eve@example.net",
    );
  });

  test("cannot make nodemailer read a file or URL", async () => {
    const content = { text: "x", html: "<p>x</p>", headers: { "X-A": "file:///etc/passwd" } };
    const attachments = [
      { filename: "a", path: "/etc/hostname" },
      { filename: "b", path: "data:text/plain,secret" },
    ];
    const mail = await PostalMime.parse(await compose(message({}, { ...content, attachments })));
    for (const part of mail.attachments)
      expect(Buffer.from(part.content as ArrayBuffer).toString()).toContain("not downloaded");
  });
});
