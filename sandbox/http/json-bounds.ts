/**
 * The bounds of a JSON body. They are checked before anything is created from the body: its values take up to fifty times the memory of its
 * bytes, and longer to validate than to receive.
 */
export const jsonBounds = {
  /** Levels of nested objects and lists. The API needs no more than five. */
  depth: 64,
  /**
   * Objects, lists, and values in them. The largest batch has 120,000: 100 messages, each with 150 recipients, 20 tags, 10 headers and 1,000
   * variables.
   */
  values: 250_000,
  /** Bytes of a property name. The longest that is valid, that of an extra header, has 998 characters of at most six bytes (`\\u0058`). */
  name: 8_192,
} as const;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What a body exceeds, as a sentence for a field error; undefined if nothing. Whether it is JSON is not checked. */
export function exceededBound(body: Uint8Array): string | undefined {
  const { depth: deepest, values: most, name: longest } = jsonBounds;
  let depth = 0;
  let values = 0;
  let name = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === quote) {
      const end = endOfText(body, at + 1);
      name = end - at - 1;
      at = end;
    } else if (byte === comma) values += 1;
    else if (byte === colon) {
      if (name > longest) return `Must not have property names of more than ${longest} bytes.`;
    } else if (byte === openList || byte === openObject) {
      values += 1;
      depth += 1;
      if (depth > deepest) return `Must not be nested deeper than ${deepest} levels.`;
    } else if (byte === closeList || byte === closeObject) depth -= 1;
  }
  return values > most ? `Must not have more than ${most} values.` : undefined;
}

/** The index of the quotation mark that ends a text. */
function endOfText(body: Uint8Array, start: number): number {
  let at = start;
  while (at < body.length) {
    const byte = body[at];
    if (byte === quote) return at;
    at += byte === backslash ? 2 : 1;
  }
  return at;
}
