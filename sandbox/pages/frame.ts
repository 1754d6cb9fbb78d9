import { decoded } from "../api/path-matcher.ts";
import type { SiteResponse } from "../control/response.ts";
import type { Attachment, Message } from "../domain/records.ts";
import { htmlResponse } from "./layout.ts";

// No scripts, forms or external resources, and a unique origin: `sandbox` also applies when the URL is opened outside the frame.
const contentSecurityPolicy = [
  "sandbox",
  "default-src 'none'",
  "img-src data:",
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** The unchanged HTML of a message, for a frame in which it can do nothing. */
export const messageFrame = ({ content }: Message): SiteResponse =>
  htmlResponse(withInlineImages(content.html ?? "", content.attachments), contentSecurityPolicy, {
    "referrer-policy": "no-referrer",
    // DNS prefetching would reveal to the owners of links that the message was opened, and no content security policy prevents it.
    "x-dns-prefetch-control": "off",
  });

/** The limit of all inserted images in characters: an image can be referenced any number of times. */
const inlineLimit = 64 * 1024 * 1024;

/** Replaces `cid:` references by the images themselves, which a frame without an origin cannot fetch. */
export function withInlineImages(markup: string, attachments: Attachment[]): string {
  const images = new Map(attachments.flatMap(inlineImage));
  if (images.size === 0) return markup;
  let remaining = inlineLimit;
  return markup.replaceAll(/\bcid:([^\s"'<>()]+)/gi, (reference, name: string) => {
    const image = images.get(decoded(name) ?? name);
    if (image === undefined || image.length > remaining) return reference;
    remaining -= image.length;
    return image;
  });
}

function inlineImage(attachment: Attachment): [string, string][] {
  const { content_id, content_type = "" } = attachment;
  if (content_id === undefined || !("content" in attachment) || !/^image\/[\w.+-]+$/i.test(content_type))
    return [];
  // Base64 can contain line breaks; any other character could end the attribute.
  const base64 = attachment.content.replaceAll(/[^A-Za-z0-9+/=]/g, "");
  return [[content_id, `data:${content_type};base64,${base64}`]];
}
