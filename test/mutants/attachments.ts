import { acceptsSend, rejectsSend } from "./email.ts";
import type { Mutant } from "./mutant.ts";
import { type Json, objectOf, textOf, without } from "./newsletter.ts";

const filesIn = (body: unknown): Json[] => {
  const { attachments } = objectOf(body);
  return Array.isArray(attachments) ? attachments.map(objectOf) : [];
};

/** The message without its attachments if one of them matches, which makes it valid. */
const withoutAny =
  (applies: (file: Json) => boolean) =>
  (body: Json): Json | undefined =>
    filesIn(body).some(applies) ? without(body, "attachments") : undefined;

const leadsTo =
  (start: string) =>
  ({ path }: Json): boolean =>
    String(path).startsWith(start);

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

const sizeOf = ({ content }: Json): number => (String(content ?? "").length * 3) / 4;

interface Sizes {
  files: number[];
  /** Those of the files that are not inline images. */
  plain: number[];
  html: number;
  text: number;
}

/** In bytes before encoding. */
const sizesIn = (body: Json): Sizes => ({
  files: filesIn(body).map(sizeOf),
  plain: filesIn(body)
    .filter((file) => !("content_id" in file))
    .map(sizeOf),
  html: textOf(body.html).length,
  text: textOf(body.text).length,
});

const largest = 28 * 1024 * 1024;

/** Compares only a part of a message with the size limit. */
const countsOnly = (part: string, size: (sizes: Sizes) => number): Mutant =>
  acceptsSend("ATT-13", `a message that is too large, because only ${part} counts`, (body) => {
    const sizes = sizesIn(body);
    const isTooLarge = sumOf(sizes.files) + sizes.html + sizes.text > largest;
    return isTooLarge && size(sizes) <= largest
      ? { ...without(body, "attachments"), html: "Short.", text: "Short." }
      : undefined;
  });

/** Private hosts, as in links. */
const hosts = ["10.", "192.168.", "172.16.", "127.", "localhost", "[::1]", "169.254.", "[fd00:"];

export const attachmentMutants: Mutant[] = [
  acceptsSend("ATT-1", "a text as attachments", (body) =>
    typeof body.attachments === "string" ? without(body, "attachments") : undefined,
  ),
  acceptsSend("ATT-1", "texts in attachments", (body) =>
    Array.isArray(body.attachments) && body.attachments.some((file) => typeof file === "string")
      ? without(body, "attachments")
      : undefined,
  ),
  rejectsSend("ATT-2", "20 attachments", "attachments", (body) => filesIn(body).length === 20),
  acceptsSend(
    "ATT-3",
    "a number as a filename",
    withoutAny(({ filename }) => typeof filename === "number"),
  ),
  rejectsSend("ATT-5", "content without padding", "attachments.0.content", (body) =>
    filesIn(body).some(({ content }) => typeof content === "string" && !content.includes("=")),
  ),
  rejectsSend("ATT-5", "content with two signs of padding", "attachments.0.content", (body) =>
    filesIn(body).some(({ content }) => typeof content === "string" && content.endsWith("==")),
  ),
  acceptsSend("ATT-7", "a link with http", withoutAny(leadsTo("http://"))),
  acceptsSend("ATT-7", "a link with ftp", withoutAny(leadsTo("ftp://"))),
  ...hosts.map((host) => acceptsSend("ATT-9", `a link to ${host}`, withoutAny(leadsTo(`https://${host}`)))),
  acceptsSend(
    "ATT-11",
    "a number as content_type",
    withoutAny(({ content_type }) => typeof content_type === "number"),
  ),
  countsOnly("html and text", ({ html, text }) => html + text),
  countsOnly("attachments and html", ({ files, html }) => sumOf(files) + html),
];
