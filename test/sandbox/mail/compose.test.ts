import fc from "fast-check";
import PostalMime, { decodeWords, type Email, type Attachment as Part } from "postal-mime";
import { describe, expect, test } from "vitest";
import type { Attachment, Message } from "../../../sandbox/domain/records.ts";
import { compose, linkHeader } from "../../../sandbox/mail/compose.ts";
import { file, message, sentAt } from "./messages.ts";

type Changes = Parameters<typeof message>;

/** The longest line of a message without CRLF, in bytes (RFC 5322, 2.1.1). */
const longestLine = 998;

/** A composed message, every line of which is checked. */
async function source(...changes: Changes): Promise<string> {
  const text = Buffer.from(await compose(message(...changes))).toString("latin1");
  for (const line of text.split("\r\n")) expect(line.length).toBeLessThanOrEqual(longestLine);
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  return text;
}

async function read(...changes: Changes): Promise<Email> {
  return PostalMime.parse(Buffer.from(await source(...changes), "latin1"));
}

test("the header has sender, recipients, date and subject", async () => {
  const mail = await read(
    { to: ["jörg@bücher.example", "bob@example.org"], cc: ["cc@example.org"] },
    { reply_to: "re@example.com" },
  );
  expect(mail.from?.address).toBe("hello@example.com");
  expect(mail.to?.map(({ address }) => address)).toEqual(["jörg@bücher.example", "bob@example.org"]);
  expect(mail.cc?.map(({ address }) => address)).toEqual(["cc@example.org"]);
  expect(mail.replyTo?.map(({ address }) => address)).toEqual(["re@example.com"]);
  expect(mail.subject).toBe("Your receipt");
  expect(mail.date).toBe(new Date(sentAt).toISOString());
  expect(mail.messageId).toBe("<msg_0001@example.com>");
});

test("the date is that of sending, else of its schedule, else of the request", async () => {
  const day = 86_400_000;
  const dateOf = async (scheduledAt: number | null) =>
    (await read({ sentAt: null, scheduledAt, createdAt: day })).date;
  expect(await dateOf(day * 3)).toBe("1970-01-04T00:00:00.000Z");
  expect(await dateOf(null)).toBe("1970-01-02T00:00:00.000Z");
});

test("fifty long recipients each fit", async () => {
  const address = (n: number) => `${"l".repeat(60)}${n}@${"d".repeat(60)}.${"d".repeat(60)}.example`;
  const to = Array.from({ length: 50 }, (_, n) => address(10 + n));
  expect((await read({ to, cc: to, bcc: to })).to?.map((entry) => entry.address)).toEqual(to);
});

test.each([
  ["nothing", ""],
  ["what a reader would decode", "a =?UTF-8*en?B?eA==?= b"],
  ["what looks encoded, with a blank", "=?utf-8?q?a b?="],
  ["one word", "s".repeat(998)],
  ["two words", `${"s".repeat(900)} ${"t".repeat(97)}`],
  ["multi-byte characters", "件".repeat(998)],
  ["emoji", "👍".repeat(998)],
  ["blanks", `a${" ".repeat(996)}b`],
  ["tabs and blanks at the ends", " \tSubject\t "],
])("a subject of %s arrives as it was sent", async (_, subject) => {
  expect((await read({}, { subject })).subject ?? "").toBe(subject);
});

const long = "x".repeat(2_000);

test.each<[what: string, name: string, value: string]>([
  ["an empty value", "X-Campaign", ""],
  ["a name that is only X-", "X-", "yes"],
  ["both", "X-", ""],
  ["a name in lower case", "x-campaign-id", "17"],
  ["a name with special characters", "X-!#$%&'*+.^_`|~()<>@,;\\\"/[]?={}", "yes"],
  ["a name of a whole line", `X-${"n".repeat(995)}`, "a b"],
  ["a name of a whole line, and a long value", `X-${"n".repeat(995)}`, long],
  ["a name of half a line, and a word of another half", `X-${"n".repeat(500)}`, "w".repeat(600)],
  ["a word of a whole line", "X-Long", "w".repeat(998)],
  ["a word longer than a line", "X-Long", long],
  ["a word of almost a line", "X-Long", "w".repeat(899)],
  ["long words", "X-Long", `${long} ${long} a`],
  ["the longest value", "X-Long", "0123456789abcdef".repeat(4_096)],
  ["the longest value in many bytes", "X-Long", "漢".repeat(65_536)],
  ["emoji sequences", "X-Long", "👩‍👩‍👧".repeat(500)],
  ["a long word beside another script", "X-Long", `Ü ${long} Ü`],
  ["a long word before another script", "X-Long", `${long} a Ü`],
  ["many blanks", "X-Blanks", `a${" ".repeat(300)}b  c`],
  ["blanks alone", "X-Blanks", "   "],
  ["blanks around", "X-Blanks", "  a  "],
  ["tabs", "X-Blanks", "a\tb\t\tc"],
  ["control characters", "X-Controls", "a\u0001b\u0000c\u007f"],
  ["line ends other than CR and LF", "X-Controls", "a\u0085b\u2028c\u000bd"],
  ["quotes, and what looks encoded", "X-Quotes", '"a" =?utf-8?Q? b?= \\'],
  ["many words", "X-Words", "word ".repeat(2_000).trim()],
  ["an unsubscribe link", "List-Unsubscribe", "<https://shop.example/u?id=1>, <mailto:u@shop.example>"],
  ["an unsubscribe link longer than a line", "List-Unsubscribe", `<https://shop.example/u?id=${long}>`],
  ["a second one", "list-unsubscribe", `<mailto:u@shop.example>, <https://shop.example/${long}>`],
  ["one click", "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"],
])("an extra header with %s arrives as it was sent, and once", async (_, name, value) => {
  // A folded line of blanks alone ends the headers for some servers.
  const text = await source({}, { headers: { [name]: value, "X-Other": "" } });
  for (const line of text.split("\r\n")) if (line.trim() === "") expect(line).toBe("");
  const { headers } = await PostalMime.parse(Buffer.from(text, "latin1"));
  const found = headers.filter(({ key }) => key === name.toLowerCase());
  expect(found.map((header) => decodeWords(header.value))).toEqual([value]);
  expect(headers).toContainEqual(expect.objectContaining({ key: "x-other", value: "" }));
});

describe("the bodies", () => {
  test("text and html are alternatives, text first, with CRLF line ends for any of the request", async () => {
    const bodies = { text: "one\ntwo\r\nthree\rfour", html: "<p>\r</p>" };
    const bytes = await source({}, bodies);
    expect(bytes).toMatch(/multipart\/alternative/);
    expect(bytes.indexOf("text/plain")).toBeLessThan(bytes.indexOf("text/html"));
    expect(bytes).toContain("one\r\ntwo\r\nthree\r\nfour");
    expect(await read({}, bodies)).toMatchObject({ text: "one\ntwo\nthree\nfour\n", html: "<p>\n</p>\n" });
  });

  test.each([
    ["nothing", ""],
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
    expect((await read({}, { text })).text ?? "\n").toBe(wanted);
    expect((await read({}, { text: null, html })).html).toBe(`<pre>${wanted}`);
  });

  test("have other boundaries for other content, so that no content can predict them", async () => {
    const boundary = async (html: string) => /boundary="([^"]+)"/.exec(await source({}, { html }))?.[1];
    expect(await boundary("<p>1</p>")).not.toBe(await boundary("<p>2</p>"));
  });
});

const everyByte = Uint8Array.from({ length: 1024 }, (_, n) => n % 256);

async function only(attachment: Attachment, html: string | null = null): Promise<Part> {
  const { attachments } = await read({}, { html, attachments: [attachment] });
  expect(attachments).toHaveLength(1);
  return attachments[0] as Part;
}

const bytesOf = (part: Part): Buffer => Buffer.from(part.content as ArrayBuffer);

describe("a file", () => {
  test.each([everyByte, ""])("keeps its bytes, name and media type, %#", async (given) => {
    const part = await only(file("report.pdf", given, { content_type: "application/pdf" }));
    expect(part).toMatchObject({
      ...{ filename: "report.pdf", mimeType: "application/pdf", disposition: "attachment" },
    });
    expect(bytesOf(part).equals(Buffer.from(given))).toBe(true);
  });

  test.each([
    ["Rechnung – März 发票 👍.pdf", "Rechnung – März 发票 👍.pdf"],
    [`${"n".repeat(1_020)}.pdf`, `${"n".repeat(1_020)}.pdf`],
    [`${"名".repeat(1_020)}.pdf`, `${"名".repeat(1_020)}.pdf`],
    [`${"n".repeat(510)} ${"m".repeat(505)}.pdf`, `${"n".repeat(510)} ${"m".repeat(505)}.pdf`],
    [`${"n\"'".repeat(300)}.pdf`, `${"n\"'".repeat(300)}.pdf`],
    ['quotes " and \\ and ; = ,.txt', "and ; = ,.txt"],
    ["../../etc/passwd", "passwd"],
    ["C:\\temp\\a.txt", "a.txt"],
    ["/", "attachment"],
    ["a\r\nX-Evil: 1.txt", "a X-Evil: 1.txt"],
  ])("named %j is saved as %j, and so is the text for one that is linked", async (filename, wanted) => {
    expect((await only(file(filename, "x"))).filename).toBe(wanted.trim());
    const path = `https://files.example.com/${"p".repeat(8_000)}`;
    const linked = await only({ filename, path });
    expect(linked).toMatchObject({ filename: `${wanted.trim()}.txt`, mimeType: "text/plain" });
    expect(bytesOf(linked).toString()).toContain(path);
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
    expect(bytesOf(part).toString()).toBe("x");
  });

  test("of a long media type keeps it", async () => {
    const content_type = `application/x; p="${"v".repeat(230)}"`;
    expect((await only(file("a.bin", "x", { content_type }))).mimeType).toBe("application/x");
  });

  test("that is a message stays readable", async () => {
    const inner = "Subject: Inner\r\n\r\nHello\r\n";
    const part = await only(file("inner.eml", inner, { content_type: "message/rfc822" }));
    expect((await PostalMime.parse(part.content as ArrayBuffer)).subject).toBe("Inner");
  });

  test("given by link has the link in a header too", async () => {
    const link = { filename: "terms.pdf", path: "https://files.example.com/terms.pdf", content_id: "terms" };
    expect(await source({}, { attachments: [link] })).toContain(`${linkHeader}: https://files.`);
  });
});

describe("an inline image", () => {
  const html = '<img src="cid:logo@example.com">';
  const logo = file(`${"n".repeat(1_000)}.png`, everyByte, { content_type: "image/png" });

  test("is next to the html that shows it", async () => {
    const part = await only({ ...logo, content_id: "logo@example.com" }, html);
    expect(part).toMatchObject({ contentId: "<logo@example.com>", disposition: "inline", related: true });
    expect(part.filename).toBe(logo.filename);
  });

  test("has only safe characters of the id, however long it is", async () => {
    expect((await only({ ...logo, content_id: "a>\r\nX-Evil: 1 <b" }, html)).contentId).toBe("<aX-Evil:1b>");
    for (const content_id of ["i".repeat(998), "号".repeat(998)])
      expect((await only({ ...logo, content_id }, html)).contentId).toMatch(/^<.+>$/);
  });
});

/** Characters that mail software treats as a line end. */
const lineEnds = [
  ...["\r\n", "\n", "\r", "\u0085", "\u2028", "\u000b", "\u000c", "\u0000\r\n", "\r\n ", "\r\n\t"],
  ...["=0D=0A", "%0d%0a"],
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
    expect(await source({}, { headers: { [name]: "evil@example.net" } })).not.toContain("evil@example.net");
  });

  test("cannot make one address two, nor a group", async () => {
    const to = ["ada@example.org, eve@example.net", "Friends: eve@example.net;", '"a" <eve@example.net>'];
    const mail = await read({ to });
    expect(mail.to?.flatMap((entry) => (entry.group ? ["a group"] : [entry.address]))).not.toContain(
      "eve@example.net",
    );
  });

  test("cannot make nodemailer read a file or URL", async () => {
    const content = { text: "x", html: "<p>x</p>", headers: { "X-A": "file:///etc/passwd" } };
    const paths = ["/etc/hostname", "data:text/plain,secret"];
    const attachments = paths.map((path) => ({ filename: "a", path }));
    for (const part of (await read({}, { ...content, attachments })).attachments)
      expect(bytesOf(part).toString()).toContain("not downloaded");
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
const url = fc.tuple(fc.webAuthority(), fc.nat()).map(([host, name]) => `https://${host}/${name}?a=b`);
const attachment = fc.oneof(
  fc.record({ filename: text, content: fc.base64String(), content_type: text, content_id: text }),
  fc.record({ filename: text, path: fc.oneof(url, text) }),
);
const headerName = fc.oneof(
  text,
  text.map((end) => `X-${end}`),
);
const content = fc.record({
  ...{ subject: text, html: fc.option(text), text: fc.option(text), reply_to: fc.option(address) },
  headers: fc.dictionary(headerName, text, { maxKeys: 10 }),
  attachments: fc.array(attachment, { maxLength: 4 }),
});
const addresses = fc.array(address, { maxLength: 3 });
const envelope = fc.record({ from: address, to: addresses, cc: addresses });

test("every record gives a valid message, the same twice, with its own headers only", async () => {
  await fc.assert(
    fc.asyncProperty(envelope, content, async (sent, says) => {
      const record = message({ ...sent, bcc: ["secret@bcc.example"] }, says as Changes[1]);
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
