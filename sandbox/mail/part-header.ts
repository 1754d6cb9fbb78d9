/** The media type of a file that nobody named one for. */
export const unknownType = "application/octet-stream";

/** A media type with its parameters, as RFC 2045 writes it. */
const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}(?:\s*;[ -~]*)?$/i;

/**
 * A media type that a file can stand under in a message. What is none becomes `application/octet-stream`; so does `multipart/*`, which
 * would make the file's bytes a part of the message's own structure.
 */
export function safeMediaType(given: string | undefined): string {
  const type = (given ?? unknownType).trim();
  return mediaType.test(type) && !/^multipart\//i.test(type) ? type : unknownType;
}

/** The media type without its parameters, in lower case: `text/csv` of `text/CSV; charset=utf-8`. */
export function bareMediaType(given: string | undefined): string {
  return (safeMediaType(given).split(";")[0] ?? unknownType).trim().toLowerCase();
}

/** A text that stays on its line and says no more than its letters: what could end a header's line is gone. */
export function oneLine(text: string): string {
  return text
    .replace(/[\r\n\u2028\u2029]+/g, " ")
    .replace(/\p{Cc}/gu, "")
    .toWellFormed();
}
