import type { Difference } from "../diff/difference.ts";
import type { Verdict } from "../diff/policy.ts";

/** The entry of a version in the changelog, without its heading; undefined where there is none. */
export function entryOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => section.split(/[\s\n]/)[0] === version);
  return found?.slice(found.indexOf("\n") + 1);
}

/** The differences that an entry does not name. It names one by its JSON pointer, in backticks. */
export function unnamed(entry: string, differences: readonly Difference[]): Difference[] {
  // The heading names the version of the document.
  const others = differences.filter(({ pointer }) => pointer !== "/info/version");
  return others.filter(({ pointer }) => !entry.includes(`\`${pointer}\``));
}

const titles: Record<Verdict, string> = {
  breaking: "Breaking",
  allowed: "Added or relaxed",
  editorial: "Editorial",
};

/** An entry that names every difference, for a person to polish. */
export function draftedEntry(version: string, date: string, differences: readonly Difference[]): string {
  const parts = [`## ${version} (${date})`];
  for (const verdict of ["breaking", "allowed", "editorial"] as const) {
    const rows = differences.filter((one) => one.verdict === verdict && one.pointer !== "/info/version");
    if (rows.length > 0) parts.push(`### ${titles[verdict]}\n\n${rows.map(line).join("\n")}`);
  }
  if (parts.length === 1) parts.push("Nothing differs from the release before.");
  return `${parts.join("\n\n")}\n`;
}

function line({ what, pointer, requirement }: Difference): string {
  const text = `${what.charAt(0).toUpperCase()}${what.slice(1)}`.replaceAll(/\s+/g, " ");
  return `- ${text}: \`${pointer}\` (${requirement}).`;
}

/** The changelog with the entry put before the others. */
export function withEntry(changelog: string, entry: string): string {
  const first = changelog.search(/^## /m);
  if (first < 0) return `${changelog.trimEnd()}\n\n${entry}`;
  return `${changelog.slice(0, first)}${entry}\n${changelog.slice(first)}`;
}
