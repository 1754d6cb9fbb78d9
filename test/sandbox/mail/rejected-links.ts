import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** The words of a text. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

const { ipv4, ipv6, kinds } = parse(
  readFileSync(new URL("rejected-links.yaml", import.meta.url), "utf8"),
) as {
  ipv4: string;
  ipv6: string;
  kinds: Record<string, { hosts?: string; links?: string; others?: string[] }>;
};

/** Addresses that are not public, as DNS returns them. */
export const privateRecords: readonly string[] = words(`${ipv4} ${ipv6}`);

const on = (hosts: readonly string[]) => hosts.map((host) => `https://${host}/file.pdf`);
const longNames = [`${"a".repeat(64)}.com`, `${"a.".repeat(130)}com`];

/** Links that must never lead to a connection, by kind. */
export const rejectedLinks: readonly (readonly [kind: string, links: readonly string[]])[] = [
  ["IPv4 addresses that are not public", on(words(ipv4))],
  ["IPv6 addresses that are not public", on(words(ipv6).map((address) => `[${address}]`))],
  ["names that are too long", on(longNames)],
  ...Object.entries(kinds).map(([kind, { hosts, links, others = [] }]) => {
    const given = [
      ...(hosts === undefined ? [] : on(words(hosts))),
      ...(links === undefined ? [] : words(links)),
    ];
    return [kind, [...given, ...others]] as const;
  }),
];
