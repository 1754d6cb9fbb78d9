import { acceptsSend, isSend, rejectsSend } from "./email.ts";
import { changeResponses, type Mutant } from "./mutant.ts";
import { errorResponse, type Json, objectOf, textOf, without } from "./newsletter.ts";

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

/** The size of all attachments, in millions of base64 characters. */
const millions = (body: unknown): number =>
  filesIn(body).reduce((sum, { content }) => sum + (typeof content === "string" ? content.length : 0), 0) /
  1e6;

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
  acceptsSend("ATT-2", "21 attachments", (body) =>
    filesIn(body).length > 20 ? { ...body, attachments: filesIn(body).slice(0, 20) } : undefined,
  ),
  rejectsSend("ATT-2", "20 attachments", "attachments", (body) => filesIn(body).length === 20),
  acceptsSend(
    "ATT-3",
    "an attachment without a filename",
    withoutAny((file) => !("filename" in file)),
  ),
  acceptsSend(
    "ATT-3",
    "a number as a filename",
    withoutAny(({ filename }) => typeof filename === "number"),
  ),
  acceptsSend(
    "ATT-4",
    "an attachment with neither content nor path",
    withoutAny((file) => !("content" in file) && !("path" in file)),
  ),
  acceptsSend(
    "ATT-5",
    "content that is not base64",
    withoutAny(({ content }) => typeof content === "string" && content.includes("%")),
  ),
  rejectsSend("ATT-5", "content without padding", "attachments.0.content", (body) =>
    filesIn(body).some(({ content }) => typeof content === "string" && !content.includes("=")),
  ),
  rejectsSend("ATT-5", "content with two signs of padding", "attachments.0.content", (body) =>
    filesIn(body).some(({ content }) => typeof content === "string" && content.endsWith("==")),
  ),
  acceptsSend("ATT-7", "a link with http", withoutAny(leadsTo("http://"))),
  acceptsSend("ATT-7", "a link with ftp", withoutAny(leadsTo("ftp://"))),
  rejectsSend("ATT-7", "a link with https", "attachments.0.path", (body) =>
    filesIn(body).some(leadsTo("https://files.")),
  ),
  ...hosts.map((host) => acceptsSend("ATT-9", `a link to ${host}`, withoutAny(leadsTo(`https://${host}`)))),
  acceptsSend(
    "ATT-11",
    "a number as content_type",
    withoutAny(({ content_type }) => typeof content_type === "number"),
  ),
  countsOnly("the attachments", ({ files }) => sumOf(files)),
  countsOnly("html and text", ({ html, text }) => html + text),
  countsOnly("attachments and html", ({ files, html }) => sumOf(files) + html),
  countsOnly("attachments and text", ({ files, text }) => sumOf(files) + text),
  countsOnly("the first attachment and the bodies", ({ files, html, text }) => (files[0] ?? 0) + html + text),
  countsOnly("what is not an inline image", ({ plain, html, text }) => sumOf(plain) + html + text),
  countsOnly("the largest part", ({ files, html, text }) => Math.max(...files, html, text)),
  countsOnly("the larger of attachments and bodies", ({ files, html, text }) =>
    Math.max(sumOf(files), html + text),
  ),
  countsOnly("no part", () => 0),
  {
    requirement: "ATT-13",
    title: "rejects 16 MB of attachments",
    intercept: () => (request, next) =>
      isSend(request) && millions(request.body) > 20 && millions(request.body) < 40
        ? errorResponse(413, "send_rejected")
        : next(request),
  },
  changeResponses("ATT-13", "returns 422 for attachments that are too large", (response) =>
    response.status === 413 ? errorResponse(422, "send_rejected") : undefined,
  ),
  changeResponses("ATT-13", "returns invalid_request for attachments that are too large", (response) =>
    response.status === 413 ? errorResponse(413, "invalid_request") : undefined,
  ),
];
