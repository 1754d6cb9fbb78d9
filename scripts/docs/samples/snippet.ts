import { snippetz } from "@scalar/snippetz";
import type { ExampleRequest } from "../../document/requests.ts";

/** Writes a request in a language; undefined if the language has no sample of it. */
export type Write = (request: ExampleRequest, baseUrl: string) => string | undefined;

/** Makes a program of what the library writes. */
export type Finish = (code: string, request: ExampleRequest) => string;

const { print } = snippetz();
type Target = Parameters<typeof print>[0];

/**
 * Writes requests with a library. In its code, EMAIL_API_KEY stands for the API key.
 *
 * @param target the name of the language in the library
 * @param client the name of the HTTP client in the library
 */
export const snippet =
  (target: Target, client: string, finish: Finish): Write =>
  (request, baseUrl) => {
    const { method, path, headers, body } = request;
    const type = body === undefined ? {} : { "Content-Type": "application/json" };
    const all = { Authorization: "Bearer EMAIL_API_KEY", ...type, ...headers };
    const code = print(target, client as never, {
      method,
      url: `${baseUrl}${path}`,
      headers: Object.entries(all).map(([name, value]) => ({ name, value })),
      ...(body === undefined ? {} : { postData: { mimeType: "application/json", text: pretty(body) } }),
    });
    if (code === undefined) throw new TypeError(`the library has no snippets for ${target} ${client}`);
    const program = shortArrays(finish(code, request), target === "php" ? "'" : '"');
    return `${program.trimEnd()}\n`;
  };

/** JSON with a property per line. */
export const pretty = (body: unknown): string => JSON.stringify(body, null, 2);

const maxArray = 60;

/**
 * Writes arrays of short texts on one line.
 *
 * @param quote the one around texts of the language: a text in it that looks like an array has others, or no line breaks
 */
export function shortArrays(code: string, quote = '"'): string {
  const array = new RegExp(`\\[\\n\\s*((?:${quote}[^"'\\n]*${quote},?\\n\\s*)+)\\]`, "g");
  return code.replaceAll(array, (whole: string, entries: string) => {
    const line = entries.trim().replaceAll(/,\n\s*/g, ", ");
    return line.length > maxArray ? whole : `[${line}]`;
  });
}
