import PostalMime, { type Attachment as Part } from "postal-mime";
import { describe, expect, test } from "vitest";
import type { Attachment } from "../../../sandbox/domain/records.ts";
import { compose, linkHeader } from "../../../sandbox/mail/compose.ts";
import { file, message } from "./messages.ts";

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

  test("is application/octet-stream by default", async () => {
    expect((await only(file("report.pdf", "x"))).mimeType).toBe("application/octet-stream");
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
    "multipart/mixed; boundary=x",
    "nonsense",
    "",
    "text/plain\r\nX-Evil: 1",
    "a/b/c",
    "text/html; charset=\u0000",
  ])("said to be %j is application/octet-stream", async (content_type) => {
    const part = await only(file("a.bin", "x", { content_type }));
    expect(part.mimeType).toBe("application/octet-stream");
    expect(bytes(part).toString()).toBe("x");
  });

  test("that is a message stays readable", async () => {
    const inner = "Subject: Inner\r\n\r\nHello\r\n";
    const part = await only(file("inner.eml", inner, { content_type: "message/rfc822" }));
    expect((await PostalMime.parse(part.content as ArrayBuffer)).subject).toBe("Inner");
  });

  test("keeps its order among the attachments", async () => {
    const names = Array.from({ length: 20 }, (_, n) => `file-${n}.txt`);
    expect((await parts(names.map((name) => file(name, name)))).map(({ filename }) => filename)).toEqual(
      names,
    );
  });
});

describe("an inline image", () => {
  const logo = file("logo.png", everyByte, { content_type: "image/png", content_id: "logo@example.com" });

  test("is next to the html that shows it", async () => {
    const [part] = await parts([logo], '<img src="cid:logo@example.com">');
    expect(part).toMatchObject({ contentId: "<logo@example.com>", disposition: "inline", related: true });
  });

  test("works with plain text too", async () => {
    expect(await only(logo)).toMatchObject({ contentId: "<logo@example.com>" });
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

  test("injects nothing, even without validation", async () => {
    const part = await only({ filename: "a", path: "https://example.com/\r\n\r\n--evil" });
    expect(bytes(part).toString()).toContain("https://example.com/ --evil\r\n");
  });
});
