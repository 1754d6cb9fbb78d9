import { redactor } from "../engine/secrets.ts";
import { BoundedMap } from "./bounded-map.ts";

/** Header fields that hold secrets. */
const secretHeader = /^(authorization|proxy-authorization|cookie|set-cookie|.*(api-?key|token|secret).*)$/i;

export const isSecretHeader = (name: string): boolean => secretHeader.test(name);

/** Query parameters that hold secrets. */
const secretParameter = /^(.*(api[-_]?key|token|secret|password|signature).*|key|auth(orization)?)$/i;

/** The parts of an exchange that may contain secrets; the URL may be a path. */
interface Places {
  url: string;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string>;
}

/** Most exchanges have the secrets of one before. */
const redactors = new BoundedMap<(text: string) => string>(1024 * 1024);

/** Redacts the secrets of an exchange wherever they stand: its credentials, and those in other headers and in the query. */
export function redactorFor(places: Places): (text: string) => string {
  const secrets = secretsIn(places);
  const name = secrets.join("\n");
  const found = redactors.get(name) ?? redactor(secrets);
  redactors.set(name, found, 2000 + 20 * name.length);
  return found;
}

function secretsIn({ url, requestHeaders, responseHeaders }: Places): string[] {
  const headers = [...Object.entries(requestHeaders), ...Object.entries(responseHeaders)];
  const values = headers.flatMap(([name, value]) =>
    isSecretHeader(name) && !/cookie/i.test(name) ? credentialsIn(value) : [],
  );
  const query = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? "");
  return [...values, ...[...query].flatMap(([name, value]) => (secretParameter.test(name) ? [value] : []))];
}

/** The value of a header without its scheme, and the password of `Basic`. */
function credentialsIn(value: string): string[] {
  const [, scheme = "", credentials = value] = /^(\w+) +(\S+)$/.exec(value) ?? [];
  const decoded = /^basic$/i.test(scheme) ? Buffer.from(credentials, "base64").toString() : "";
  return [credentials, decoded.slice(decoded.indexOf(":") + 1)].filter(Boolean);
}
