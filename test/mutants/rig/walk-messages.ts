import type { Role } from "../../../contract/engine/settings.ts";

/** What a walk needs of a server. */
export interface Walker {
  /** Sends a request and returns the body of the response. */
  call(method: string, path: string, given?: Given): Promise<Record<string, unknown>>;
  advance(seconds: number): Promise<unknown>;
  confirm(email: string, list: number): Promise<unknown>;
  /** A time some hours after the start, as UTC or with an offset such as `-05:00`. */
  at(hours: number, offset?: string): string;
}

interface Given {
  body?: unknown;
  role?: Role;
  key?: string;
}

export const emails = "/api/v1/emails";
export const contactsPath = "/api/v1/newsletter/contacts";
export const attachment = { filename: "a.txt", content: "QQ==", content_type: "text/plain" };
export const inline = { filename: "b.png", content: "QUI=", content_id: "logo" };
const linked = { filename: "c.pdf", path: "https://files.example.com/terms.pdf" };
export const base = {
  from: "contract@bakery.example",
  to: ["success@simulator.example"],
  subject: "Walk",
  text: "Walk.",
  tags: { a: "1", b: "2", c: "3" },
};
/** One of several, counted round. */
export const pick = <One>(all: readonly One[], index: number): One => all[index % all.length] as One;
export const some = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `r${index}@readers.example`);
export const copies = {
  cc: ["copy@readers.example", "success@simulator.example"],
  bcc: ["blind@readers.example", "success@simulator.example"],
};
export const locals = ["success", "bounce", "complaint", "suppressionlist"].map((local) => ({
  to: [`${local}@simulator.example`],
}));
const suppressed = ["gone", "angry", "left"].map((name) => `${name}@readers.example`);

/** Messages that are accepted, immediate, scheduled or in a batch. */
export const valid: object[] = [
  {},
  copies,
  ...locals,
  { to: some(3) },
  { to: some(12) },
  ...suppressed.map((address) => ({ to: [address, "success@simulator.example", "x@readers.example"] })),
  {
    to: ["success@simulator.example", ...suppressed, "x@readers.example"],
    cc: [suppressed[0], "y@readers.example"],
  },
  { ...copies, cc: [suppressed[1], "z@readers.example"], bcc: [suppressed[2], "w@readers.example"] },
  { from: "walk@shop.bakery.example" },
  { reply_to: "reply@readers.example", html: "<p>Walk.</p>", headers: { "X-Walk": "1" } },
  {
    subject: undefined,
    text: undefined,
    template_id: "order-ready",
    variables: { name: "Ada", order: "1042" },
  },
];

export const withAttachments: object[] = [
  { attachments: [attachment] },
  ...locals.map((one) => ({ ...one, attachments: [attachment] })),
  { attachments: [attachment, attachment] },
  { attachments: [attachment, linked] },
  { attachments: [inline, attachment] },
  {
    attachments: Array.from({ length: 20 }, (_, index) => ({
      ...(index === 0 ? inline : attachment),
      filename: `${index}.txt`,
    })),
  },
];

const faultyAttachments = [
  { content: "QQ==" },
  { filename: "d.txt" },
  { filename: "d.txt", content: "?" },
  { filename: "d.txt", path: "http://files.example.com/terms.pdf" },
  { filename: "d.txt", path: "https://10.0.0.1/terms.pdf" },
];
const tagsOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-T${index}`, "1"]));

export const invalid: object[] = [
  { from: undefined },
  { from: "Walk <contract@bakery.example>" },
  { from: "contract@stopped.bakery.example" },
  { from: "contract@unverified.bakery.example" },
  { from: "contract@florist.example" },
  { to: undefined },
  { to: "success@simulator.example" },
  { to: ["nobody"] },
  { to: some(51) },
  { cc: some(51) },
  { bcc: some(51) },
  { subject: undefined },
  { text: undefined },
  { subject: "s".repeat(999) },
  { tags: tagsOf(21) },
  { tags: { "a b": "1" } },
  { headers: tagsOf(11) },
  { headers: { Sender: "1" } },
  { headers: { "X-Walk": "a\r\nb" } },
  { reply_to: "nobody" },
];
export const onlySingle: object[] = [
  ...suppressed.map((address) => ({ to: [address] })),
  ...faultyAttachments.flatMap((one) => [
    { attachments: [one] },
    { attachments: [attachment, one] },
    { attachments: [{ ...one, content_id: "logo" }] },
  ]),
  ...[attachment, inline, linked].map((one) => ({ attachments: [...Array(20).fill(attachment), one] })),
];
