import type { ContentAttachment } from "../../generated/client/models.ts";

/** What a file can be made from. */
export type Source =
  | ArrayBufferView
  | ArrayBuffer
  | Blob
  | AsyncIterable<Uint8Array>
  | ReadableStream<Uint8Array>;

export interface AttachOptions {
  /** The name that the reader sees; that of a `File` unless told otherwise. */
  filename?: string | undefined;
  /** The media type; that of a `Blob` unless told otherwise. Without one the service takes `application/octet-stream`. */
  contentType?: string | undefined;
  /** Makes the file an inline image, shown in the HTML by `cid:` and this id (ATT-10). */
  contentId?: string | undefined;
}

/** So many bytes are encoded at once; a multiple of 3, so that only the end is padded. */
const step = 24_576;

/**
 * An attachment from bytes, a Blob or File, or a stream, encoded as the service wants it. The message and its attachments have
 * 28 MB together (ATT-13).
 *
 * @throws TypeError where there is no name for the file
 */
export async function attach(source: Source, options: AttachOptions = {}): Promise<ContentAttachment> {
  const blob = source instanceof Blob ? (source as Blob & { name?: string }) : undefined;
  const filename = options.filename ?? blob?.name;
  if (!filename) throw new TypeError("an attachment needs a filename");
  const type = options.contentType ?? blob?.type;
  return {
    filename,
    content: base64(await bytesOf(source)),
    ...(type && { content_type: type }),
    ...(options.contentId && { content_id: options.contentId }),
  };
}

async function bytesOf(source: Source): Promise<Uint8Array> {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (source instanceof Blob) return new Uint8Array(await source.arrayBuffer());
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of source as AsyncIterable<Uint8Array<ArrayBuffer>>) chunks.push(chunk);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += step)
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + step)));
  return text;
}
