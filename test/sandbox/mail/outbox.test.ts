import { describe, expect, test } from "vitest";
import { compose } from "../../../sandbox/mail/compose.ts";
import { createOutbox } from "../../../sandbox/mail/outbox.ts";
import { file, message } from "./messages.ts";

const outbox = createOutbox();
const png = Buffer.from("89504e470d0a1a0a", "hex");
const logo = file("logo.png", png, { content_id: "logo@example.com", content_type: "image/png" });
const shown = `data:image/png;base64,${png.toString("base64")}`;

test("a message is the same bytes, whoever asks", async () => {
  expect(Buffer.from(await outbox.eml(message())).equals(Buffer.from(await compose(message())))).toBe(true);
});

test("the envelope names everyone once, simulator addresses too", () => {
  const record = message({
    to: ["ada@example.org", "success@simulator.example"],
    cc: ["ADA@example.org"],
    bcc: ["b@example.org", "b@example.org"],
  });
  expect(outbox.envelope(record)).toEqual({
    from: "hello@example.com",
    to: ["ADA@example.org", "success@simulator.example", "b@example.org"],
  });
});

describe("the view", () => {
  const html = (text: string, files = [logo]) =>
    outbox.view(message({}, { html: text, attachments: files })).html;

  test.each([
    ['<img src="cid:logo@example.com">', `<img src="${shown}">`],
    ["<img src='CID:logo%40example.com'>", `<img src='${shown}'>`],
    ['<p style="background: url(cid:logo@example.com)">', `<p style="background: url(${shown})">`],
    ['<img src="cid:other">', '<img src="cid:other">'],
    ['<img src="cid:%">', '<img src="cid:%">'],
    ["<p>acid:logo@example.com", "<p>acid:logo@example.com"],
  ])("of %s has its images in their places", (given, wanted) => {
    expect(html(given)).toBe(wanted);
  });

  test("shows no file that is no image, or was not downloaded, or says it is more than one thing", () => {
    const given = '<img src="cid:a"><img src="cid:b"><img src="cid:c">';
    const files = [
      file("a.html", "<script>", { content_id: "a", content_type: "text/html" }),
      {
        filename: "b.png",
        path: "https://files.example.com/b.png",
        content_id: "b",
        content_type: "image/png",
      },
      file("c.png", png, { content_id: "c", content_type: 'image/png" onerror="alert(1)' }),
    ];
    expect(html(given, files)).toBe(given);
  });

  test("lists the files", () => {
    const attachments = [
      logo,
      { filename: "../terms.pdf", path: "https://files.example.com/terms.pdf" },
      file("a.csv", "1;2", { content_type: "Text/CSV; charset=utf-8" }),
    ];
    expect(outbox.view(message({}, { text: "Hi", attachments }))).toEqual({
      ...{ text: "Hi", html: null },
      files: [
        {
          filename: "logo.png",
          mediaType: "image/png",
          contentId: "logo@example.com",
          link: null,
          content: png,
        },
        {
          filename: "terms.pdf",
          mediaType: "application/octet-stream",
          contentId: null,
          link: "https://files.example.com/terms.pdf",
          content: new Uint8Array(),
        },
        {
          filename: "a.csv",
          mediaType: "text/csv",
          contentId: null,
          link: null,
          content: Buffer.from("1;2"),
        },
      ],
    });
  });
});
