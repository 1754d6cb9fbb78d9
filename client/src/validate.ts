import { idempotencyKeyPattern, idempotencyKeyRule, notInBaseUrl } from "../../generated/client/table.ts";
import type { SharedOptions } from "./options.ts";

/** Exists in browser pages only. */
declare const document: unknown;

/** Throws a TypeError unless the condition is truthy: `key is missing`, or with a value `timeout must be above 0 (got 0)`. */
export function check(condition: unknown, message: string, ...values: unknown[]): asserts condition {
  if (condition) return;
  const got = values.map((value) => ` (got ${typeof value === "number" ? value : JSON.stringify(value)})`);
  throw new TypeError(message + got);
}

/** Checks numbers of attempts and milliseconds. */
export function checkPositive(options: object): void {
  for (const name of ["attempts", "attemptTimeout", "timeout", "interval"]) {
    const value = (options as Record<string, number | undefined>)[name];
    check(value === undefined || value > 0, `${name} must be above 0, or Infinity for no limit`, value);
  }
}

/** Hides the API key in a text. A shorter one, as tests have, may be part of any word, such as an error type. */
export const hideKey = (text: string, key: string): string =>
  key.length < 8 ? text : text.replaceAll(key, "***");

/** Checks what every connection needs: a valid key, and no browser page, where everybody can read the key (AUTH-6). */
export function checkKey(key: string, options: SharedOptions): void {
  check(key, "key is missing");
  // What a header can have, except what JSON escapes. Not a URL: then the key may be in `baseUrl`, which messages show.
  check(/^(?!https?:)[!#-[\]-~]+$/.test(key), "key must be an API key, without spaces and quotes");
  check(
    options.allowBrowser || typeof document === "undefined",
    "a browser page shows the key: see allowBrowser",
  );
  checkPositive(options);
}

/** Checks that a URL, as `URL` normalizes it, is https, or http to this machine (GEN-2). */
export function checkSecure(
  name: string,
  url: string,
  { allowInsecureHttp }: SharedOptions,
  shown: unknown = url,
): void {
  const pattern = allowInsecureHttp ? /^https?:/ : /^https:|^http:\/\/(localhost|127[\d.]+|\[::1])[:/]/;
  check(
    pattern.test(url),
    `${name} must start with https://, or http:// with allowInsecureHttp: true`,
    shown,
  );
}

/** Checks a base URL and returns it normalized, without a slash at its end. */
export function checkedBaseUrl(baseUrl: string | URL, key: string, options: SharedOptions): string {
  const given = `${baseUrl}`;
  // User information ends at the last @, whatever it contains.
  const shown = baseUrl && hideKey(given, key).replace(/.*@/s, "***@");
  // "?" fails the check.
  const url = URL.canParse(given) ? new URL(given).href : "?";
  check(
    !notInBaseUrl.test(url),
    "baseUrl must be a URL such as https://api.example.com, without /api/v1, a query or a user name",
    shown,
  );
  checkSecure("baseUrl", url, options, shown);
  return url.replace(/\/*$/, "");
}

/** Checks an idempotency key (IDEM-4). */
export function checkIdempotencyKey(key: string): void {
  check(idempotencyKeyPattern.test(key), `idempotencyKey must be ${idempotencyKeyRule}`, key);
}

/** Encodes a path parameter (GEN-9), except those that would change the path: a URL cannot have `..` as a segment. */
export function encoded(name: string, value: unknown): string {
  check(
    typeof value === "string" && !/^\.{0,2}$|[\ud800-\udfff]/u.test(value),
    `${name} must be a well-formed string, and not empty, "." or ".."`,
    value,
  );
  return encodeURIComponent(value);
}
