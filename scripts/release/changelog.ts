import type { Difference } from "../diff/comparison.ts";
import { verdicts } from "../diff/policy.ts";
import { titles } from "../diff/render.ts";

/** The entry of a version in the changelog, without its heading; undefined if there is none. */
export function entryOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => section.split(/[\s\n]/)[0] === version);
  return found?.slice(found.indexOf("\n") + 1);
}

/** The heading of an entry names the version of the document. */
const isListed = ({ pointer }: Difference): boolean => pointer !== "/info/version";

/** The differences that an entry does not name by their JSON Pointer in backticks. */
export const missingFrom = (entry: string, differences: readonly Difference[]): Difference[] =>
  differences.filter((one) => isListed(one) && !entry.includes(`\`${one.pointer}\``));

/** A draft of an entry, which names every difference. */
export function draftedEntry(version: string, date: string, differences: readonly Difference[]): string {
  const parts = [`## ${version} (${date})`];
  for (const verdict of verdicts) {
    const rows = differences.filter((one) => one.verdict === verdict && isListed(one));
    if (rows.length > 0) parts.push(`### ${titles[verdict]}\n\n${rows.map(line).join("\n")}`);
  }
  if (parts.length === 1) parts.push("No differences from the previous release.");
  return `${parts.join("\n\n")}\n`;
}

const line = ({ message, pointer, requirement }: Difference): string =>
  `- ${message.replace(/\.$/, "").replaceAll(/\s+/g, " ")}: \`${pointer}\` ([${requirement}](versioning.md#rules)).`;

/** The changelog with the entry before all others. */
export function withEntry(changelog: string, entry: string): string {
  const first = changelog.search(/^## /m);
  if (first < 0) return `${changelog.trimEnd()}\n\n${entry}`;
  return `${changelog.slice(0, first)}${entry}\n${changelog.slice(first)}`;
}
