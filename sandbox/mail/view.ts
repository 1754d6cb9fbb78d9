import type { Attachment, Message } from "../domain/records.ts";
import { contentId, fileName } from "./compose-attachment.ts";
import { bareMediaType } from "./part-header.ts";

/** A file of a message, to show or to save. */
export interface FileView {
  filename: string;
  /** Without parameters. */
  mediaType: string;
  /** What `cid:` links name it by; null for one that is not inline. */
  contentId: string | null;
  /** Where it would have come from, when it was not downloaded; null otherwise. */
  link: string | null;
  /** Its bytes; empty for one that was not downloaded. */
  content: Uint8Array;
}

/** A message as a mail program would show it. */
export interface MessageView {
  text: string | null;
  /** With its inline images in the place of their `cid:` links. From outside: only for a frame that runs and loads nothing. */
  html: string | null;
  files: FileView[];
}

/** The bodies and files of a message, in their order. */
export function viewMessage({ content }: Pick<Message, "content">): MessageView {
  const files = content.attachments.map(viewFile);
  return { text: content.text, html: content.html === null ? null : withImages(content.html, files), files };
}

function viewFile(attachment: Attachment): FileView {
  return {
    filename: fileName(attachment.filename),
    mediaType: bareMediaType(attachment.content_type),
    contentId: attachment.content_id === undefined ? null : contentId(attachment.content_id),
    link: "path" in attachment ? attachment.path : null,
    content: "content" in attachment ? Buffer.from(attachment.content, "base64") : new Uint8Array(),
  };
}

/** A link to a file of the message, up to where an attribute or a style ends it. */
const cidLink = /\bcid:([^\s"'<>)]+)/gi;

/** Puts images where `cid:` links stand. An image in a `data:` URL runs no scripts; what is no image stays a link. */
function withImages(html: string, files: FileView[]): string {
  const images = new Map(files.filter(isImage).map((file) => [file.contentId, file]));
  return html.replace(cidLink, (link, name: string) => {
    const image = images.get(name) ?? images.get(decoded(name));
    return image === undefined
      ? link
      : `data:${image.mediaType};base64,${Buffer.from(image.content).toString("base64")}`;
  });
}

function isImage({ contentId, link, mediaType }: FileView): boolean {
  return contentId !== null && link === null && mediaType.startsWith("image/");
}

/** `cid:` links are URLs, in which an id may be percent-encoded (RFC 2392). */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
