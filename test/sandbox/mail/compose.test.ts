import fc from "fast-check";
import PostalMime, { type Email, type Attachment as Part } from "postal-mime";
import { describe, expect, test } from "vitest";
import type { Attachment, Message } from "../../../sandbox/domain/records.ts";
import { compose, linkHeader } from "../../../sandbox/mail/compose.ts";
import { file, message, sentAt } from "./messages.ts";

type Changes = Parameters<typeof message>;

async function source(...changes: Changes): Promise<string> {
  return Buffer.from(await compose(message(...changes))).toString("latin1");
}

async function read(...changes: Changes): Promise<Email> {
  return PostalMime.parse(await compose(message(...changes)));
}

describe("the header of a message", () => {
  test("has sender, recipients, date and subject", async () => {
    const mail = await read(
      { to: ["ada@example.org", "bob@example.org"], cc: ["cc@example.org"] },
      { reply_to: "re@example.com" },
    );
    expect(mail.from?.address).toBe("hello@example.com");
    expect(mail.to?.map(({ address }) => address)).toEqual(["ada@example.org", "bob@example.org"]);
    expect(mail.cc?.map(({ address }) => address)).toEqual(["cc@example.org"]);
    expect(mail.replyTo?.map(({ address }) => address)).toEqual(["re@example.com"]);
    expect(mail.subject).toBe("Your receipt");
    expect(mail.date).toBe(new Date(sentAt).toISOString());
    expect(mail.messageId).toBe("<msg_0001@example.com>");
  });

  test("has the date of sending, else of its schedule, else of the request", async () => {
    const day = 86_400_000;
    expect((await read({ sentAt: null, scheduledAt: day * 3, createdAt: day })).date).toBe(
      "1970-01-04T00:00:00.000Z",
    );
    expect((await read({ sentAt: null, scheduledAt: null, createdAt: day })).date).toBe(
      "1970-01-02T00:00:00.000Z",
    );
  });

  test.each(["=?utf-8?q?x?=", "a =?UTF-8*en?B?eA==?= b", "=?utf-8?q?a b?="])(
    "encodes %j, which a reader would decode, in subject and headers",
    async (text) => {
      const changes: Changes = [{}, { subject: text, headers: { "X-Note": text } }];
      const mail = await read(...changes);
      const written = (name: string) => mail.headerLines.find(({ key }) => key === name)?.line.split(": ")[1];
      expect(mail.subject).toBe(text);
      expect(written("subject")).not.toBe(text);
      expect(written("x-note")).toBe(written("subject"));
    },
  );

  test("keeps an empty subject empty", async () => {
    expect((await read({}, { subject: "" })).subject ?? "").toBe("");
  });

  test("keeps non-ASCII recipients", async () => {
    expect((await read({ to: ["jörg@bücher.example"] })).to?.[0]?.address).toBe("jörg@bücher.example");
  });
});

describe("the bodies", () => {
  test("text and html are alternatives, text first", async () => {
    const bytes = await source({}, { text: "plain", html: "<p>rich</p>" });
    expect(bytes).toMatch(/multipart\/alternative/);
    expect(bytes.indexOf("text/plain")).toBeLessThan(bytes.indexOf("text/html"));
    expect(await read({}, { text: "plain", html: "<p>rich</p>" })).toMatchObject({
      text: "plain\n",
      html: "<p>rich</p>\n",
    });
  });

  test.each([
    ["long lines", "x ".repeat(5000)],
    ["one long word", "y".repeat(5000)],
    ["lines with a meaning in SMTP or mbox files", "a\n.\n..dot\nFrom me\n--\n"],
    ["blanks at the ends of lines", "a  \n\t\n b \t"],
    ["characters of all planes", "ä ß – 你好 👩‍👩‍👧 \u{10ffff}"],
    ["what quoted-printable uses itself", "a=20=\n=?UTF-8?Q?a?= =3D"],
    ["what would be a boundary", "\n----_NmP-Part_1--\nContent-Type: text/html\n\n<b>"],
  ])("keep %s", async (_, text) => {
    const wanted = text.endsWith("\n") ? text : `${text}\n`;
    const html = `<pre>${text}`;
    expect((await read({}, { text })).text).toBe(wanted);
    expect((await read({}, { text: null, html })).html).toBe(`<pre>${wanted}`);
  });

  test("have CRLF line ends for any line ends of the request", async () => {
    const bytes = await source({}, { text: "one\ntwo\r\nthree\rfour", html: "<p>\r</p>\n" });
    expect(bytes).toContain("one\r\ntwo\r\nthree\r\nfour");
    expect(bytes.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  test("may be empty", async () => {
    expect((await read({}, { text: "", html: null })).text?.trim() ?? "").toBe("");
    expect((await read({}, { text: null, html: "" })).html?.trim() ?? "").toBe("");
  });
});

describe("the bytes", () => {
  test("have other boundaries for other content, so that no content can predict them", async () => {
    const boundary = async (html: string) => /boundary="([^"]+)"/.exec(await source({}, { html }))?.[1];
    expect(await boundary("<p>1</p>")).not.toBe(await boundary("<p>2</p>"));
  });
});

const everyByte = Uint8Array.from({ length: 1024 }, (_, n) => n % 256);

async function parts(attachments: Attachment[], html: string | null = null): Promise<Part[]> {
  return (await PostalMime.parse(await compose(message({}, { html, attachments })))).attachments;
}

async function only(attachment: Attachment): Promise<Part> {
  const [part] = await parts([attachment]);
  if (part === undefined) throw new Error("the message has no attachment");
  return part;
}

function bytes(part: Part): Buffer {
  return Buffer.from(part.content as ArrayBuffer);
}

describe("a file", () => {
  test("keeps its bytes, name and media type", async () => {
    const part = await only(file("report.pdf", everyByte, { content_type: "application/pdf" }));
    expect(part).toMatchObject({
      filename: "report.pdf",
      mimeType: "application/pdf",
      disposition: "attachment",
    });
    expect(bytes(part).equals(everyByte)).toBe(true);
  });

  test("may be empty", async () => {
    expect(bytes(await only(file("empty.txt", "")))).toHaveLength(0);
  });

  test.each([
    ["Rechnung – März 发票 👍.pdf", "Rechnung – März 发票 👍.pdf"],
    [`${"long name ".repeat(40)}.txt`, `${"long name ".repeat(40)}.txt`],
    ['quotes " and \\ and ; = ,.txt', "and ; = ,.txt"],
    ["../../etc/passwd", "passwd"],
    ["C:\\temp\\a.txt", "a.txt"],
    ["/", "attachment"],
    ["a\r\nX-Evil: 1.txt", "a X-Evil: 1.txt"],
  ])("named %j is saved as %j", async (given, wanted) => {
    expect((await only(file(given, "x"))).filename).toBe(wanted.trim());
  });

  test.each([
    undefined,
    "multipart/mixed; boundary=x",
    "nonsense",
    "",
    "text/plain\r\nX-Evil: 1",
    "a/b/c",
    "text/html; charset=\u0000",
  ])("said to be %j is application/octet-stream", async (content_type) => {
    const part = await only(file("a.bin", "x", content_type === undefined ? {} : { content_type }));
    expect(part.mimeType).toBe("application/octet-stream");
    expect(bytes(part).toString()).toBe("x");
  });

  test("that is a message stays readable", async () => {
    const inner = "Subject: Inner\r\n\r\nHello\r\n";
    const part = await only(file("inner.eml", inner, { content_type: "message/rfc822" }));
    expect((await PostalMime.parse(part.content as ArrayBuffer)).subject).toBe("Inner");
  });
});

describe("an inline image", () => {
  const logo = file("logo.png", everyByte, { content_type: "image/png", content_id: "logo@example.com" });

  test("is next to the html that shows it", async () => {
    const [part] = await parts([logo], '<img src="cid:logo@example.com">');
    expect(part).toMatchObject({ contentId: "<logo@example.com>", disposition: "inline", related: true });
  });

  test("has only safe characters of the id", async () => {
    const bytesOf = await compose(
      message({}, { html: "<p>", attachments: [{ ...logo, content_id: "a>\r\nX-Evil: 1 <b" }] }),
    );
    expect(Buffer.from(bytesOf).toString()).toContain("Content-ID: <aX-Evil:1b>");
  });
});

describe("a file given by link", () => {
  const link: Attachment = {
    filename: "terms.pdf",
    path: "https://files.example.com/terms.pdf?a=1",
    content_id: "terms",
  };

  test("is replaced by a text with its link", async () => {
    const part = await only(link);
    expect(part).toMatchObject({
      filename: "terms.pdf.txt",
      mimeType: "text/plain",
      disposition: "attachment",
    });
    expect(bytes(part).toString()).toContain("https://files.example.com/terms.pdf?a=1");
    expect(Buffer.from(await compose(message({}, { attachments: [link] }))).toString()).toContain(
      `${linkHeader}: https://files.`,
    );
  });
});

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
    ..."Bcc To From Content-Type Received DKIM-Signature Sender Return-Path MIME-Version".split(" "),
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
