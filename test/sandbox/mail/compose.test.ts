import PostalMime, { type Email } from "postal-mime";
import { describe, expect, test } from "vitest";
import { compose } from "../../../sandbox/mail/compose.ts";
import { message, sentAt } from "./messages.ts";

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

  test("has no bcc recipients", async () => {
    expect(await source({ bcc: ["secret@example.org"] })).not.toMatch(/secret|bcc/i);
  });

  test("has the extra headers", async () => {
    const headers = {
      "X-Entity-Ref-ID": "17",
      "List-Unsubscribe": "<https://example.com/u>",
      "List-Unsubscribe-Post": "One-Click",
    };
    const mail = await read({}, { headers });
    for (const [name, value] of Object.entries(headers)) {
      expect(mail.headers).toContainEqual(expect.objectContaining({ key: name.toLowerCase(), value }));
    }
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

  test("keeps a subject of 998 non-ASCII characters, including emoji sequences", async () => {
    const subject = "Grüße – 你好 👩‍👩‍👧 ".repeat(70).slice(0, 998).toWellFormed().trim();
    expect((await read({}, { subject })).subject).toBe(subject);
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
  test("are the same each time, in all parts of a message", async () => {
    const changes: Changes = [{ cc: ["c@example.org"] }, { html: "<p>ü</p>", headers: { "X-A": "1" } }];
    expect(await source(...changes)).toBe(await source(...changes));
  });

  test("have other boundaries for other content, so that no content can predict them", async () => {
    const boundary = async (html: string) => /boundary="([^"]+)"/.exec(await source({}, { html }))?.[1];
    expect(await boundary("<p>1</p>")).not.toBe(await boundary("<p>2</p>"));
  });

  test("have no line over 998 bytes, including long header values", async () => {
    const value = "a".repeat(5000);
    const bytes = await source(
      { to: Array.from({ length: 50 }, (_, n) => `user${n}@example.org`) },
      { headers: { "X-Long": value } },
    );
    for (const line of bytes.split("\r\n")) expect(line.length).toBeLessThanOrEqual(998);
    expect((await read({}, { headers: { "X-Long": value } })).headers).toContainEqual(
      expect.objectContaining({ key: "x-long", value: expect.stringContaining("=?UTF-8?Q?aaaa") }),
    );
  });
});
