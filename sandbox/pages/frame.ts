import type { SiteAnswer } from "../control/answer.ts";
import type { Attachment, Message } from "../domain/records.ts";

// No scripts, no forms, nothing from anywhere else, and an origin of its own: `sandbox` holds even where the address is opened without its frame.
const contentSecurityPolicy = [
  "sandbox",
  "default-src 'none'",
  "img-src data:",
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** The HTML of a message as it was written, for a frame that lets it do nothing. */
export const messageFrame = (message: Message): SiteAnswer => ({
  status: 200,
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentSecurityPolicy,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    // Looking up the names of links would tell their owners that the message was opened, and no policy of content forbids it.
    "x-dns-prefetch-control": "off",
    "cross-origin-resource-policy": "same-origin",
  },
  body: withInlineImages(message.content.html ?? "", message.content.attachments),
});

/** What all images that are put into a message may have together: one that is named a thousand times must not fill the memory. */
const inlineRoom = 64 * 1024 * 1024;

/** Puts the images that the HTML names by `cid:` into it, because a frame without an origin cannot fetch them. */
export function withInlineImages(markup: string, attachments: Attachment[]): string {
  const images = new Map(attachments.flatMap(inlineImage));
  if (images.size === 0) return markup;
  let left = inlineRoom;
  return markup.replaceAll(/\bcid:([^\s"'<>()]+)/gi, (reference, name: string) => {
    const image = images.get(decoded(name));
    if (image === undefined || image.length > left) return reference;
    left -= image.length;
    return image;
  });
}

function inlineImage(attachment: Attachment): [string, string][] {
  const { content_id, content_type = "" } = attachment;
  if (content_id === undefined || !("content" in attachment) || !/^image\/[\w.+-]+$/i.test(content_type))
    return [];
  // Base64 may come with line breaks; anything else in it would end the attribute that it is put into.
  return [
    [content_id, `data:${content_type};base64,${attachment.content.replaceAll(/[^A-Za-z0-9+/=]/g, "")}`],
  ];
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
