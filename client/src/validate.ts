/** Returns the text if it matches. @throws TypeError that does not show the text, which may be a key */
export function validated(name: string, pattern: RegExp, text: string): string {
  if (!pattern.test(text ?? "")) throw new TypeError(`${name} must match ${pattern}`);
  return text;
}

/** An API key: what a header can have, except what JSON escapes. */
export const keyPattern = /^[!#-[\]-~]+$/;

/** A URL of the service: https, or http on this machine (GEN-2). */
export const urlPattern = /^http(s:\/\/[^/]|:\/\/(localhost|127\.0\.0\.1)(:|\/|$))/;

/** A base URL: without query, fragment and user information. */
export const baseUrlPattern = /^[^?#@]+$/;

/** A path parameter: not empty, and nothing that would change the path. */
export const parameterPattern = /^(?!\.{1,2}$)[^\\/]+$/;
