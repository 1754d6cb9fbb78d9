import { jsonOf } from "../../lib/objects.ts";

/** What an archive has of the body of a message. Some tools keep only its start, or nothing: what is not known to be empty is unknown. */
export function bodyOf(
  content: Record<string, unknown>,
  { headers, size, isEmpty }: { headers: Record<string, string>; size: unknown; isEmpty: boolean },
): { text?: string; isCut: boolean } {
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
  return { text, isCut: most < 0 || most > Buffer.byteLength(text) };
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
