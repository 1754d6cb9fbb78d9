import type { ContentAttachment } from "../../generated/client/models.ts";
import { check } from "./validate.ts";

/** What an attachment can be made from. */
export type AttachmentSource =
  | ArrayBufferView
  | ArrayBuffer
  | Blob
  | AsyncIterable<Uint8Array>
  | ReadableStream<Uint8Array>;

export interface AttachOptions {
  /** The name that the recipient sees; default: that of the `File`. */
  filename?: string | undefined;
  /** The media type; default: that of the `Blob`, else `application/octet-stream`. */
  contentType?: string | undefined;
  /** Makes the file an inline image, shown in the HTML by `cid:` and this id (ATT-10). */
  contentId?: string | undefined;
}

/** Bytes to encode at once; a multiple of 3, so that only the last chunk is padded. */
const chunkSize = 24_576;

/**
 * Creates an attachment from bytes, a Blob or File, or a stream. A message with all its attachments may have 28 MB (ATT-13).
 * @throws TypeError if the file has no name, or for a source of another type, such as a path
 */
export async function attach(
  source: AttachmentSource,
  options: AttachOptions = {},
): Promise<ContentAttachment> {
  const blob = source instanceof Blob ? (source as Blob & { name?: string }) : undefined;
  const filename = options.filename ?? blob?.name;
  check(filename, "filename is missing: pass it as an option, or attach a File");
  const type = options.contentType ?? blob?.type;
  return {
    filename,
    content: base64(await bytesOf(source)),
    ...(type && { content_type: type }),
    ...(options.contentId && { content_id: options.contentId }),
  };
}

async function bytesOf(source: AttachmentSource): Promise<Uint8Array> {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (source instanceof Blob) return new Uint8Array(await source.arrayBuffer());
  check(
    Symbol.asyncIterator in Object(source),
    "an attachment must be bytes, a Blob or a stream; attachFile takes a path",
    typeof source,
  );
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of source as AsyncIterable<Uint8Array<ArrayBuffer>>) chunks.push(chunk);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += chunkSize)
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + chunkSize)));
  return text;
}
