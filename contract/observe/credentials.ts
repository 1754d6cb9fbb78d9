import { LRUCache } from "lru-cache";
import { headers as responseHeaders } from "../../generated/headers.ts";
import { decoded } from "../../lib/text.ts";
import { document } from "../document.ts";
import { redacted, redactor, secretsOf } from "../engine/secrets.ts";
import type { Settings } from "../engine/settings.ts";
import type { ObservedExchange } from "./subjects.ts";

/** The parts of an exchange that may contain credentials; the URL may be a path. */
interface Places extends Pick<ObservedExchange, "requestHeaders" | "responseHeaders"> {
  url: string;
}

/** The names of the document's parameters at a place, in lower case. */
const parametersIn = (place: "header" | "query"): string[] =>
  Object.values(document.components.parameters ?? {}).flatMap((one) =>
    "in" in one && one.in === place ? [one.name.toLowerCase()] : [],
  );
const queryParameters = new Set(parametersIn("query"));

const harmless = new Set([
  // Headers of HTTP that say how a message is sent, and by which others find a request in their logs.
  ...`accept accept-charset accept-encoding accept-language accept-ranges age cache-control connection content-encoding
  content-language content-length content-type date etag expect expires host if-match if-modified-since if-none-match
  if-unmodified-since keep-alive last-modified pragma server te traceparent trailer transfer-encoding upgrade user-agent vary via
  x-correlation-id x-request-id`.split(/\s+/),
  ...parametersIn("header"),
  ...Object.values(responseHeaders).map(({ name }) => name.toLowerCase()),
]);

/** Whether a header is known to hold no secret: one of the document or of HTTP. All others are left out of records and reports. */
export const isHarmless = (name: string): boolean =>
  harmless.has(name.toLowerCase()) || /^access-control-/i.test(name);

/** A URL without user, fragment and the values of parameters that the document does not have. */
export const harmlessUrl = (url: string): string =>
  url
    .replace(/^([a-z]+:\/\/)[^/?#]*@/i, "$1")
    .replace(/#.*$/s, "")
    .replaceAll(/(;[^=;/?]*=)[^;/?]*/g, `$1${redacted}`)
    .replaceAll(/([?&])([^=&]*)(=?)[^&]*/g, (found, separator: string, name: string, equals: string) => {
      if (name === "" || queryParameters.has(decoded(name)?.toLowerCase() ?? "")) return found;
      return separator + (equals === "" ? redacted : `${name}=${redacted}`);
    });

const secretName =
  /auth|key|token|secret|session|credential|signature|cookie|pass|jwt|^(sig|code|sid|otp|pin)$/i;
const link = /^([a-z]+:\/)?\//i;
/** Times, dates and email addresses: records need them. */
const usual = /^(\w{3}, \d\d |\d{4}-\d\d-\d\d)|^[^\s@]+@[^\s@]+$/;

/** Whether the value of a header or parameter that nobody knows could be one that others have by chance: a word or a number. */
const isOrdinary = (value: string): boolean =>
  value.length < 8 ||
  link.test(value) ||
  usual.test(value) ||
  !/[a-z]/i.test(value) ||
  (!/\d/.test(value) && value.length < 20);

/** A value that is not ordinary, and its parts with letters and digits, which can be keys by themselves. */
function withTokens(value: string): string[] {
  const parts = [value, decoded(value) ?? ""].flatMap((text) => text.match(/[\w+/~.-]+/g) ?? []);
  return [value, ...parts.filter((part) => /\d/.test(part))].filter((one) => !isOrdinary(one));
}

/** Those of responses may be ids, unless they are as long as keys. */
const isKeyLike = (value: string): boolean => /^eyJ[\w-]+\.|^[\w+/=~-]{16,}$/.test(value);

function credentialsIn({ url, requestHeaders, responseHeaders }: Places): string[] {
  const headers = [...Object.entries(requestHeaders), ...Object.entries(responseHeaders)];
  const shown = headers.flatMap(([name, value]) => (isHarmless(name) ? [value] : []));
  const path = url.replaceAll(/^([a-z]+:\/\/)[^/?#]*@|;[^/?#]*|[?#].*$/gis, "$1");
  // An id of the request is not a credential, in any header, nor is what its path names.
  const isOwn = (value: string): boolean => shown.includes(value) || path.includes(value);
  const found = headers
    .filter(([name]) => !isHarmless(name))
    .flatMap(([name, value]) => {
      if (secretName.test(name)) return valuesIn(name, value);
      if (link.test(value)) return inUrl(value);
      const isOfResponse = responseHeaders[name] === value;
      return withTokens(value).filter((one) => !isOwn(one) && (!isOfResponse || isKeyLike(one)));
    });
  return [...inUrl(url).filter((value) => !isOwn(value)), ...found].filter((value) => value !== "");
}

/** Those of a URL, or of one that a header has: its user, its password and its parameters, also those in its path. */
function inUrl(url: string): string[] {
  const [, userInfo = ""] = /^[a-z]+:\/\/([^/?#]*)@/i.exec(url) ?? [];
  const [user = "", ...password] = userInfo.split(":").map((part) => decoded(part) ?? part);
  const ofPath = url.replace(/[?#].*/s, "").match(/(?<=;)[^;/]*/g) ?? [];
  const values = [...new URLSearchParams([/\?([^#]*)/.exec(url)?.[1] ?? "", ...ofPath].join("&"))]
    .filter(([name]) => !queryParameters.has(name.toLowerCase()))
    .flatMap(([name, value]) => (secretName.test(name) ? valuesIn(name, value) : withTokens(value)));
  return [isOrdinary(user) ? "" : user, password.join(":"), ...values];
}

/** Shorter parts of a value are no credentials, but names and numbers. */
const shortest = 4;

/** The value of a header without its scheme, the password of `Basic`, and what separators divide: `token="K", realm=R` has `K`, as has `Credential=K/20260101`. */
function valuesIn(name: string, given: string): string[] {
  // The attributes of cookies are none; one of them has a comma.
  const value = /^set-cookie$/i.test(name) ? given.replaceAll(/;(\s*expires=\w+,)?[^,]*/gi, "") : given;
  const [, scheme = "", credentials = value] = /^([\w-]+) +(\S.*)$/.exec(value) ?? [];
  const basic = /^basic$/i.test(scheme) ? Buffer.from(credentials, "base64").toString() : "";
  const parts = credentials
    .split(/[\s,;]+/)
    .flatMap((part) => [part, part.slice(part.indexOf("=") + 1), part.replace(/^.*=|\/\d{8}\b.*/g, "")])
    .map((part) => part.replaceAll('"', ""));
  return [
    credentials,
    basic.slice(basic.indexOf(":") + 1),
    ...parts.filter(({ length }) => length >= shortest),
    ...withTokens(value),
  ];
}

/** Characters of all credentials: those that were not used for longest are forgotten, so that a long record needs no more memory than a short one. */
const mostKnown = 1024 * 1024;

/** Every value that was a credential in the traffic so far, which is masked wherever it stands. */
export class Credentials {
  readonly #configured: ReadonlySet<string>;
  readonly redact: ReturnType<typeof redactor>;
  readonly #found = new LRUCache<string, true>({
    maxSize: mostKnown,
    sizeCalculation: (_, value) => value.length,
    dispose: (_, value) => this.redact.remove(value),
  });

  constructor({ keys = {}, secrets = [] }: Partial<Pick<Settings, "keys" | "secrets">> = {}) {
    this.#configured = new Set(secretsOf({ keys, secrets }));
    this.redact = redactor([...this.#configured]);
  }

  /** Returns whether the exchange has a credential that was not known. */
  add(places: Places): boolean {
    const isOwn = (value: string): boolean => value.length <= mostKnown && !this.#configured.has(value);
    const found = credentialsIn(places).filter(isOwn);
    const unknown = found.filter((value) => !this.#found.has(value));
    for (const value of new Set(unknown)) this.redact.add(value);
    for (const value of found) this.#found.set(value, true);
    return unknown.length > 0;
  }
}
