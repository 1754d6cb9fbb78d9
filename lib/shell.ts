/** Characters a terminal does not show as they are: control and format characters, separators, lone surrogates. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The text as one argument of a POSIX shell (bash for invisible characters, which need `$'...'`). */
export function shellArgument(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!invisible.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = [...text].map((character) => {
    if (character === "'" || character === "\\") return `\\${character}`;
    if (character === "\n") return "\\n";
    return invisible.test(character) ? octal(character.toWellFormed()) : character;
  });
  return `$'${escaped.join("")}'`;
}

/** The bytes of a character, three octal digits each, so that a digit after it is not read as part of it. */
const octal = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");

export interface CurlRequest {
  method: string;
  url: string;
  /** Options between `curl -i` and the method, such as `--globoff`. */
  options?: readonly string[];
  /** Arguments of `-H`, quoted already. */
  headers?: readonly string[];
  /** The option and argument that carry the body, quoted already: `-d '{}'`. */
  body?: string;
}

/** A curl command that prints the response with its headers, one option per line after the first. */
export function curlCommand({ method, url, options = [], headers = [], body }: CurlRequest): string {
  const first = ["curl -i", ...options, ...(method === "GET" ? [] : [`-X ${shellArgument(method)}`])];
  return [
    [...first, shellArgument(url)].join(" "),
    ...headers.map((header) => `-H ${header}`),
    ...(body === undefined ? [] : [body]),
  ].join(" \\\n  ");
}
