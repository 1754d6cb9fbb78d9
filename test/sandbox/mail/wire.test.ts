import { decodeWords, type Email, type Attachment as Part } from "postal-mime";
import { afterEach, describe, expect, test } from "vitest";
import { mail, type Rig, startRig } from "../rig.ts";
import { readMail, type SmtpHost, startSmtpHost } from "./smtp-host.ts";

const opened: SmtpHost[] = [];
afterEach(async () => {
  for (const host of opened.splice(0)) await host.close();
});

/** The longest line of a message without CRLF, in bytes (RFC 5322, 2.1.1). */
const longest = 998;

/** Sends a message through the API and an SMTP server, checks every line that arrived, and parses it. */
async function delivered(change: Record<string, unknown>): Promise<Email & { source: string }> {
  const host = await startSmtpHost();
  opened.push(host);
  const rig: Rig = await startRig({ smtp: host.url });
  const response = await rig.post("/api/v1/emails", mail(change));
  expect([response.status, response.fields]).toEqual([202, []]);
  await rig.sandbox.clock.advance(0);
  const [received] = host.received;
  if (received === undefined) throw new Error("nothing arrived");
  const { source } = received;
  for (const line of source.split("\r\n")) {
    expect(line.length, line.slice(0, 80)).toBeLessThanOrEqual(longest);
    // A folded line of blanks alone ends the headers for some servers.
    if (line.trim() === "") expect(line).toBe("");
  }
  expect(source.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  return { ...(await readMail(received)), source };
}

/** The value of an extra header as its receiver reads it; undefined without that header. */
async function value(name: string, sent: string): Promise<string | undefined> {
  const { headers } = await delivered({ headers: { [name]: sent } });
  const found = headers.find(({ key }) => key === name.toLowerCase());
  return found && decodeWords(found.value);
}

const long = "x".repeat(2_000);

describe("an extra header arrives as it was sent:", () => {
  test.for<[what: string, name: string, value: string]>([
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
    [
      "a second unsubscribe link",
      "list-unsubscribe",
      `<mailto:u@shop.example>, <https://shop.example/${long}>`,
    ],
    ["one click", "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"],
  ])("%s", async ([, name, sent]) => {
    expect(await value(name, sent)).toBe(sent);
  });

  test("ten of them, some of them empty, each once", async () => {
    const sent = Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [`X-A-${n}`, n % 2 === 0 ? "" : `${n}`]),
    );
    const { headers, subject } = await delivered({ headers: sent });
    const extra = headers
      .filter(({ key }) => key.startsWith("x-a-"))
      .map(({ key, value: got }) => [key, got]);
    const wanted = Object.entries(sent).map(([key, given]) => [key.toLowerCase(), given]);
    expect(extra.toSorted()).toEqual(wanted.toSorted());
    expect(subject).toBe("Your order");
  });
});

test("a name that does not fit in a line is rejected", async () => {
  const { post } = await startRig();
  const name = `X-${"n".repeat(996)}`;
  const response = await post("/api/v1/emails", mail({ headers: { [name]: "yes" } }));
  expect([response.status, response.fields]).toEqual([422, ["headers"]]);
});

test.for<[string, string]>([
  ["one word", "s".repeat(998)],
  ["two words", `${"s".repeat(900)} ${"t".repeat(97)}`],
  ["multi-byte characters", "件".repeat(998)],
  ["emoji", "👍".repeat(998)],
  ["blanks", `a${" ".repeat(996)}b`],
  ["tabs and blanks at the ends", " \tSubject\t "],
])("a subject of %s arrives as it was sent", async ([, subject]) => {
  expect((await delivered({ subject })).subject).toBe(subject);
});

describe("an attachment arrives with its name:", () => {
  const names: [string, string][] = [
    ["one long word", `${"n".repeat(1_020)}.pdf`],
    ["multi-byte characters", `${"名".repeat(1_020)}.pdf`],
    ["long words", `${"n".repeat(510)} ${"m".repeat(505)}.pdf`],
    ["quotes", `${"n\"'\\".repeat(200).replaceAll("\\", "")}.pdf`],
  ];
  const only = ({ attachments }: Email): Part => {
    expect(attachments).toHaveLength(1);
    return attachments[0] as Part;
  };

  test.for(names)("%s", async ([, filename]) => {
    const part = only(await delivered({ attachments: [{ filename, content: "aGk=" }] }));
    expect(part).toMatchObject({ filename, disposition: "attachment" });
    expect(Buffer.from(part.content as ArrayBuffer).toString()).toBe("hi");
  });

  test.for(names)("%s, linked", async ([, filename]) => {
    const path = `https://files.example.com/${"p".repeat(8_000)}`;
    const email = await delivered({ attachments: [{ filename, path }] });
    const part = only(email);
    expect(part.filename).toBe(`${filename}.txt`);
    expect(Buffer.from(part.content as ArrayBuffer).toString()).toContain(path);
  });

  test("an inline image of a long name stays one", async () => {
    const image = { filename: `${"n".repeat(1_000)}.png`, content: "aGk=", content_type: "image/png" };
    const email = await delivered({
      html: '<img src="cid:logo">',
      attachments: [{ ...image, content_id: "logo" }],
    });
    expect(only(email)).toMatchObject({
      filename: image.filename,
      disposition: "inline",
      contentId: "<logo>",
    });
  });

  test.for(["i".repeat(998), "号".repeat(998)])("a content id of 998 characters, %#", async (content_id) => {
    const image = { filename: "a.png", content: "aGk=", content_type: "image/png", content_id };
    expect(only(await delivered({ html: "<p>", attachments: [image] })).contentId).toMatch(/^<.+>$/);
  });

  test("a long media type", async () => {
    const content_type = `application/x; p="${"v".repeat(230)}"`;
    const email = await delivered({ attachments: [{ filename: "a.bin", content: "aGk=", content_type }] });
    expect(only(email).mimeType).toBe("application/x");
  });
});

test("fifty long recipients each fit", async () => {
  const address = (n: number) => `${"l".repeat(60)}${n}@${"d".repeat(60)}.${"d".repeat(60)}.example`;
  const to = Array.from({ length: 50 }, (_, n) => address(10 + n));
  const email = await delivered({ to, cc: to, bcc: to });
  expect(email.to?.map((entry) => entry.address)).toEqual(to);
});
