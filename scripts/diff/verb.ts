import { UserError } from "../../lib/user-error.ts";
import { diff } from "../diff.ts";
import { pathOf, pointerOf } from "../document/json-pointer.ts";
import type { Difference } from "./difference.ts";
import type { Side } from "./document-side.ts";
import { comparedReleases, releaseSide } from "./release-side.ts";
import { comparisonAnnotations, comparisonMarkdown, comparisonText, type NamedComparison } from "./render.ts";
import { sideOf, workingTree } from "./source.ts";

/** The options of the verb `diff`. */
export interface DiffOptions {
  /** A file, a git revision or a tag; the last release, and the first of its version, unless told otherwise. */
  old?: string;
  /** A file, a git revision or a tag; the working tree unless told otherwise. */
  new?: string;
  format?: "text" | "json" | "markdown" | "github";
  /** Shows breaking differences only. */
  breaking?: boolean;
  /** The folder of the frozen releases, absolute; that of this project unless told otherwise. */
  releases?: string;
}

/**
 * The verb `diff`: compares two documents and prints what differs.
 *
 * @returns the exit status: 0 when nothing is breaking, 1 when something is
 * @throws Failure with exit status 2 when there is nothing to compare, or it cannot be read
 */
export async function runDiff(options: DiffOptions = {}): Promise<number> {
  const [comparison, baseline] = await compareAll(options);
  const shown = options.breaking === true ? breakingOf(comparison) : comparison;
  console.log(printed(shown, baseline && sinceBaseline(comparison, baseline), options.format ?? "text"));
  return comparison.counts.breaking + (baseline?.counts.breaking ?? 0) > 0 ? 1 : 0;
}

function printed(
  comparison: NamedComparison,
  baseline: NamedComparison | undefined,
  format: NonNullable<DiffOptions["format"]>,
): string {
  if (format === "json") return JSON.stringify({ ...comparison, ...(baseline && { baseline }) }, null, 2);
  const render = { text: comparisonText, markdown: comparisonMarkdown, github: comparisonAnnotations }[
    format
  ];
  const texts = [comparison, ...(baseline === undefined ? [] : [baseline])].map((one) => render(one));
  return texts.join(format === "markdown" ? "\n\n" : "\n");
}

const breakingOf = (comparison: NamedComparison): NamedComparison => ({
  ...comparison,
  differences: comparison.differences.filter(({ verdict }) => verdict === "breaking"),
});

/** Of what differs from the first release, what breaks and is not told already. */
function sinceBaseline(last: NamedComparison, baseline: NamedComparison): NamedComparison {
  const placeOf = ({ kind, pointer }: Difference): string => `${kind} ${pointer}`;
  const told = new Set(last.differences.map(placeOf));
  const { differences } = breakingOf(baseline);
  return { ...baseline, differences: differences.filter((one) => !told.has(placeOf(one))) };
}

/** Compares what the options name, with the place of every difference in the sources of the newer document. */
export async function compare(options: DiffOptions = {}): Promise<NamedComparison> {
  return (await compareAll(options))[0];
}

/** The comparison that the options name; without an older document also that with the first release of the version. */
async function compareAll(options: DiffOptions): Promise<[NamedComparison, NamedComparison?]> {
  const sides: Side[] = [];
  const open = async (side: Promise<Side>): Promise<Side> => {
    const opened = await side;
    sides.push(opened);
    return opened;
  };
  try {
    const { old, releases } = options;
    const versions = old === undefined ? await comparedReleases(releases) : [];
    const olds =
      old === undefined ? versions.map((version) => releaseSide(version, releases)) : [sideOf(old)];
    // All at once: putting a split document together is most of the work.
    const opened = await Promise.allSettled(
      [options.new === undefined ? treeSide() : sideOf(options.new), ...olds].map(open),
    );
    const [young, last, first] = opened.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    }) as [Side, Side, Side?];
    const comparison = await compared(last, young);
    return first === undefined ? [comparison] : [comparison, await compared(first, young)];
  } finally {
    for (const side of sides) await side.close();
  }
}

async function compared(old: Side, young: Side): Promise<NamedComparison> {
  const comparison = await diff(old.document, young.document);
  const differences = await Promise.all(comparison.differences.map((one) => placed(one, young)));
  return { old: old.label, new: young.label, ...comparison, differences };
}

/** The place in the sources; of what is gone, that of the nearest that is left. */
async function placed(difference: Difference, side: Side): Promise<Difference> {
  const path = pathOf(difference.pointer);
  const left = difference.side === "old" ? path.slice(0, -1) : path;
  return { ...difference, place: await side.locate(pointerOf(left)) };
}

async function treeSide(): Promise<Side> {
  try {
    return await workingTree();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.message, { ...(error.hint && { hint: error.hint }), exitCode: 2 });
  }
}
