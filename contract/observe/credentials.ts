import { LRUCache } from "lru-cache";
import { headers as responseHeaders } from "../../generated/headers.ts";
import { isObject } from "../../lib/objects.ts";
import { decoded } from "../../lib/text.ts";
import { document } from "../document.ts";
import { redacted, redactor } from "../engine/secrets.ts";

/** The parts of an exchange that may contain credentials; the URL may be a path. */
interface Places {
  url: string;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string>;
}

/** The names of the document's parameters. */
const parameters = { header: new Set<string>(), query: new Set<string>() };
collect(document);

function collect(value: unknown): void {
  if (Array.isArray(value)) value.forEach(collect);
  if (!isObject(value)) return;
  const { in: place, name } = value;
  if ((place === "header" || place === "query") && typeof name === "string")
    parameters[place].add(name.toLowerCase());
  Object.values(value).forEach(collect);
}

/** Headers of HTTP that say how a message is sent, and by which others find a request in their logs. */
const ofHttp =
  `accept accept-charset accept-encoding accept-language accept-ranges age cache-control connection content-encoding
  content-language content-length content-type date etag expect expires host if-match if-modified-since if-none-match
  if-unmodified-since keep-alive last-modified pragma server te traceparent trailer transfer-encoding upgrade user-agent vary via
  x-correlation-id x-request-id`.split(/\s+/);

const harmless = new Set([
  ...ofHttp,
  ...parameters.header,
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
    .replaceAll(/([?&])([^=&]*)(=?)[^&]*/g, (found, separator: string, name: string, equals: string) => {
      if (name === "" || parameters.query.has(decoded(name)?.toLowerCase() ?? "")) return found;
      return separator + (equals === "" ? redacted : `${name}=${redacted}`);
    });

/** Names of headers and parameters that hold credentials. */
const secretName =
  /auth|key|token|secret|session|credential|signature|cookie|passw|jwt|^(sig|code|sid|otp|pin)$/i;

/** Whether a value looks like a credential, in a header or parameter that nobody knows. */
const looksSecret = (value: string): boolean =>
  /^eyJ[\w-]+\./.test(value) || (/^[\w+/=~-]{16,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value));

/** The credentials of an exchange. */
function credentialsIn({ url, requestHeaders, responseHeaders: received }: Places): string[] {
  const headers = [...Object.entries(requestHeaders), ...Object.entries(received)];
  const shown = new Set(headers.flatMap(([name, value]) => (isHarmless(name) ? [value] : [])));
  const query = [...new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? "")];
  const unknown = [
    ...headers.filter(([name]) => !isHarmless(name)),
    ...query.filter(([name]) => !parameters.query.has(name.toLowerCase())),
  ];
  const userInfo = /^[a-z]+:\/\/([^/?#]*)@/i.exec(url)?.[1] ?? "";
  return [
    ...unknown.flatMap(([name, value]) =>
      secretName.test(name)
        ? valuesIn(name, value)
        : // An id of the request is not a credential, in any header.
          looksSecret(value) && !shown.has(value)
          ? [value]
          : [],
    ),
    ...userInfo
      .split(":")
      .slice(1)
      .flatMap((password) => [password, decoded(password) ?? ""]),
  ].filter((value) => value !== "");
}

/** Shorter parts of a value are no credentials, but names and numbers. */
const shortest = 8;

/** The value of a header without its scheme, the values in it, and the password of `Basic`. */
function valuesIn(name: string, value: string): string[] {
  // The attributes of a cookie are none.
  if (/^set-cookie$/i.test(name)) return partsIn(value.split(";")[0] ?? "");
  const [, scheme = "", credentials = value] = /^([\w-]+) +(\S.*)$/.exec(value) ?? [];
  const basic = /^basic$/i.test(scheme) ? Buffer.from(credentials, "base64").toString() : "";
  return [
    ...(/cookie/i.test(name) ? [] : [credentials]),
    basic.slice(basic.indexOf(":") + 1),
    ...partsIn(credentials),
  ];
}

/** What separators divide: `token="K", realm=R` has `K`. */
const partsIn = (value: string): string[] =>
  value
    .split(/[\s,;]+/)
    .flatMap((part) => [part, part.slice(part.indexOf("=") + 1)])
    .map((part) => part.replaceAll('"', ""))
    .filter((part) => part.length >= shortest);

/** The oldest credentials are forgotten, so that a long record needs no more memory than a short one. */
const mostKnown = 500;

/** Every value that was a credential in the traffic so far, which is masked wherever it stands. */
export class Credentials {
  readonly #known = new LRUCache<string, true>({ max: mostKnown });
  #redact: ((text: string) => string) | undefined;

  constructor(values: readonly string[] = []) {
    for (const value of values) this.#add(value);
  }

  /** Returns whether the exchange has a credential that was not known. */
  add(places: Places): boolean {
    return credentialsIn(places).filter((value) => this.#add(value)).length > 0;
  }

  redact = (text: string): string => {
    this.#redact ??= redactor([...this.#known.keys()]);
    return this.#redact(text);
  };

  #add(value: string): boolean {
    if (this.#known.get(value) === true) return false;
    this.#known.set(value, true);
    this.#redact = undefined;
    return true;
  }
}
