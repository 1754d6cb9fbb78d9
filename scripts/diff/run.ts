import { readNeeds } from "../../contract/report/needs-file.ts";
import type { Needs } from "../../generated/schema-types.ts";
import { printCommands, printJson, printLine } from "../../lib/print.ts";
import { type Difference, located, withConcerns } from "./comparison.ts";
import { diff } from "./documents.ts";
import { defaultBases, defaultRevision, type Input, openInput, repositoryRoot } from "./inputs.ts";
import { concernsOf } from "./needs.ts";
import { comparisonAnnotations, comparisonMarkdown, comparisonText, type NamedComparison } from "./render.ts";

/** The options of the command `diff`. Documents are files, releases or git revisions. */
export interface DiffOptions {
  /** Default: the latest release, and the first one of its version. */
  base?: string;
  /** Default: the working tree. */
  revision?: string;
  format?: "text" | "json" | "markdown" | "github";
  /** Shows breaking changes only. */
  breaking?: boolean;
  /** The file with the needs of an application: marks the changes that concern it. */
  needs?: string;
  /** Follows `$ref`s to other hosts. */
  allowRemote?: boolean;
  /** The folder of the frozen releases, absolute; default: that of this project. */
  releases?: string;
}

/**
 * The command `diff`: compares two documents and prints the differences.
 * @returns the exit code: 0 if nothing is breaking, else 1
 * @throws UserError with exit code 2 if a document is missing or cannot be read
 */
export async function runDiff(options: DiffOptions = {}): Promise<number> {
  const [comparison, first] = await compareAll(options);
  const shown = options.breaking === true ? breakingOnly(comparison) : comparison;
  const { format = "text" } = options;
  const print = { json: printJson, github: printCommands, text: printLine, markdown: printLine }[format];
  print(printed(shown, first && onlyNew(comparison, first), format));
  return comparison.counts.breaking + (first?.counts.breaking ?? 0) > 0 ? 1 : 0;
}

const renderers = { text: comparisonText, markdown: comparisonMarkdown, github: comparisonAnnotations };

function printed(
  comparison: NamedComparison,
  sinceFirst: NamedComparison | undefined,
  format: NonNullable<DiffOptions["format"]>,
): string {
  if (format === "json") return JSON.stringify({ ...comparison, ...(sinceFirst && { sinceFirst }) }, null, 2);
  return [comparison, ...(sinceFirst === undefined ? [] : [sinceFirst])]
    .map((one) => renderers[format](one))
    .join(format === "markdown" ? "\n\n" : "\n");
}

const breakingOnly = (comparison: NamedComparison): NamedComparison => ({
  ...comparison,
  differences: comparison.differences.filter(({ verdict }) => verdict === "breaking"),
});

/** The breaking changes since the first release that the comparison with the latest one does not show. */
function onlyNew(latest: NamedComparison, first: NamedComparison): NamedComparison {
  const keyOf = ({ kind, pointer }: Difference): string => `${kind} ${pointer}`;
  const known = new Set(latest.differences.map(keyOf));
  const { differences } = breakingOnly(first);
  return { ...first, differences: differences.filter((one) => !known.has(keyOf(one))) };
}

/** Compares two documents; each difference has its place in the sources of the revision. */
export const compare = async (options: DiffOptions = {}) => (await compareAll(options))[0];

/** One comparison, or without a base two: with the latest release and with the first one of its version. */
async function compareAll(options: DiffOptions): Promise<[NamedComparison, NamedComparison?]> {
  const { base, revision, releases, format, allowRemote = false } = options;
  const access = { allowRemote, ...(format === "github" && { from: await repositoryRoot() }) };
  const bases = base === undefined ? await defaultBases(releases) : [openInput(base, access)];
  const newer = revision === undefined ? defaultRevision(access) : openInput(revision, access);
  const [given, latest, first] = (await Promise.all([newer, ...bases])) as [Input, Input, Input?];
  const needs = options.needs === undefined ? undefined : readNeeds(options.needs);
  const comparison = await compareInputs(latest, given, needs);
  return first === undefined ? [comparison] : [comparison, await compareInputs(first, given, needs)];
}

async function compareInputs(base: Input, revision: Input, needs?: Needs): Promise<NamedComparison> {
  const found = diff(base.document, revision.document);
  const marked = needs ? withConcerns(found, concernsOf(needs, base.document, revision.document)) : found;
  return { base: base.label, revision: revision.label, ...(await located(marked, revision.locate)) };
}
