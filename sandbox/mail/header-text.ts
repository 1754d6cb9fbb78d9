import { encodeWord } from "nodemailer/lib/mime-funcs";

/**
 * What does not survive folding: blanks at the ends, several in a row, tabs, control characters, words longer than a line, and what would be
 * decoded.
 */
const unfoldable = /^\s|\s$|\s\s|[^\S ]|\p{Cc}|\S{900}|=\?[^?]*\?[bq]\?/iu;

/**
 * Text for a header that arrives unchanged, in lines of at most 998 bytes (RFC 5322, 2.1.1). nodemailer folds it, and encodes other scripts
 * (RFC 2047); what folding would change is encoded here. Only line breaks become spaces.
 */
export function headerText(text: string): string {
  const line = text.replace(/[\r\n]+/g, " ").toWellFormed();
  return unfoldable.test(line) ? encodeWord(line, "Q", 52) : line;
}

/** Text for a part of a header, without line breaks and control characters. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\r\n\u2028\u2029]+/g, " ")
    .replace(/\p{Cc}/gu, "")
    .toWellFormed();
