import { jsonOf } from "../../lib/objects.ts";

/**
 * What an archive has of a body. Some tools keep only its start, or nothing: what is not known to be empty is unknown then.
 * @param message the headers of its message by lower-case name, the size of the body as it was sent, and whether there cannot be one
 */
export function bodyOf(
  content: Record<string, unknown>,
  message: { headers: Record<string, string>; size: unknown; isEmpty: boolean },
): { text?: string; isCut: boolean } {
  const { headers, size, isEmpty } = message;
  const sizes = [content.size, size].filter((one) => typeof one === "number" && one >= 0).map(Number);
  const length = "content-encoding" in headers ? Number.NaN : Number(headers["content-length"]);
  const most = Math.max(...sizes, ...(length >= 0 ? [length] : []));
  const text = plainText(content);
  if (text === undefined || text === "") {
    const isKnown = isEmpty || (most === 0 && (sizes.length === 2 || length === 0 || size === 0));
    return { ...(text === "" && { text }), isCut: !isKnown };
  }
  // Sizes may be those of a compressed body. A part of a JSON object is none.
  if (jsonOf(text) !== undefined) return { text, isCut: false };
  const isWhole = most >= 0 && most <= Buffer.byteLength(text);
  return { text, isCut: !isWhole };
}

/** The text of a body. Firefox writes `base64` beside texts that are not encoded. */
function plainText({ text, encoding, _encoding, size }: Record<string, unknown>): string | undefined {
  if (typeof text !== "string") return undefined;
  const isEncoded =
    (encoding ?? _encoding) === "base64" &&
    /^[\w+/\s-]*=*$/.test(text) &&
    (text === "" || size !== Buffer.byteLength(text));
  return isEncoded ? Buffer.from(text, "base64").toString() : text;
}
