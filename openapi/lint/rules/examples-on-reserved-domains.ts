import { everyText } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(everyText, {
  description: "Email addresses, links and IP addresses use names and numbers reserved for documentation.",
  *check({ text }) {
    for (const host of foreignHosts(text))
      yield `Use a reserved name such as example.com, or 192.0.2.1, instead of ${host} (RFC 2606, RFC 5737).`;
  },
});

/** Hosts in links and email addresses, with any ending. */
const written = /(?:https?:\/\/(?:[^\s/@]*@)?|[^\s<@]@)([a-z0-9][a-z0-9.-]*)/gi;
/** Hosts alone, recognized by common top-level domains so that names of files and properties do not match. */
const bare =
  /(?<![\w.-])((?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|info|biz|io|dev|app|email|de|eu|fr|uk|us))(?![\w-])/gi;
const numeric = /(?<![\w.])(\d{1,3}(?:\.\d{1,3}){3})(?![\w.]*\d)/g;

/** Names that nobody can own (RFC 2606, RFC 6761). */
const reservedName = /(^|\.)(example\.(com|org|net)|example|test|invalid)$/i;
/** Addresses set aside for documentation (RFC 5737). */
const reservedNumber = /^(192\.0\.2|198\.51\.100|203\.0\.113)\./;

/** The hosts and IPv4 addresses in a text that are not reserved for documentation. */
const foreignHosts = (text: string): string[] => {
  const decoded = text.replaceAll("%40", "@");
  const found = [written, bare, numeric].flatMap((expression) =>
    [...decoded.matchAll(expression)].map(([, host = ""]) => host.replace(/[.-]+$/, "")),
  );
  return [...new Set(found)].filter((host) => !reservedName.test(host) && !reservedNumber.test(host));
};
