import { pathOf, pointerOf } from "../../openapi/lint/document/values.ts";
import { diff } from "../diff.ts";
import { Failure } from "../failure.ts";
import { frozenRelease, lastRelease } from "../release/releases.ts";
import type { Difference } from "./difference.ts";
import { comparisonAnnotations, comparisonMarkdown, comparisonText, type NamedComparison } from "./render.ts";
import { type Side, sideOf, workingTree } from "./source.ts";

/** The options of the verb `diff`. */
export interface DiffOptions {
  /** A file, a git revision or a tag; the last release unless told otherwise. */
  old?: string;
  /** A file, a git revision or a tag; the working tree unless told otherwise. */
  new?: string;
  format?: "text" | "json" | "markdown" | "github";
  /** Shows breaking differences only. */
  breaking?: boolean;
}

/**
 * The verb `diff`: compares two documents and prints what differs.
 *
 * @returns the exit status: 0 when nothing is breaking, 1 when something is
 * @throws Failure with exit status 2 when there is nothing to compare, or it cannot be read
 */
export async function runDiff(options: DiffOptions = {}): Promise<number> {
  const comparison = await compare(options);
  const shown =
    options.breaking === true
      ? { ...comparison, differences: comparison.differences.filter(({ verdict }) => verdict === "breaking") }
      : comparison;
  console.log(printed(shown, options.format ?? "text"));
  return comparison.counts.breaking > 0 ? 1 : 0;
}

function printed(comparison: NamedComparison, format: NonNullable<DiffOptions["format"]>): string {
  if (format === "json") return JSON.stringify(comparison, null, 2);
  if (format === "markdown") return comparisonMarkdown(comparison);
  return format === "github" ? comparisonAnnotations(comparison) : comparisonText(comparison);
}

/** Compares what the options name, with the place of every difference in the sources of the newer document. */
export async function compare(options: Pick<DiffOptions, "old" | "new"> = {}): Promise<NamedComparison> {
  const sides: Side[] = [];
  const open = async (side: Promise<Side>): Promise<Side> => {
    const opened = await side;
    sides.push(opened);
    return opened;
  };
  try {
    // Both at once: putting a split document together is most of the work.
    const opened = await Promise.allSettled([
      open(options.old === undefined ? releaseSide() : sideOf(options.old)),
      open(options.new === undefined ? treeSide() : sideOf(options.new)),
    ]);
    const [old, young] = opened.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    }) as [Side, Side];
    const comparison = await diff(old.document, young.document);
    const differences = await Promise.all(comparison.differences.map((one) => placed(one, young)));
    return { old: old.label, new: young.label, ...comparison, differences };
  } finally {
    for (const side of sides) await side.close();
  }
}

/** The place in the sources; of what is gone, that of the nearest that is left. */
async function placed(difference: Difference, side: Side): Promise<Difference> {
  const path = pathOf(difference.pointer);
  const left = difference.side === "old" ? path.slice(0, -1) : path;
  return { ...difference, place: await side.locate(pointerOf(left)) };
}

async function releaseSide(): Promise<Side> {
  const version = await lastRelease();
  if (version === undefined) {
    throw new Failure("there is no release in openapi/releases/ to compare with", {
      hint: "Name the older document: npm run diff -- OLD [NEW]",
      exitStatus: 2,
    });
  }
  const document = await frozenRelease(version);
  const file = `openapi/releases/${version}.json`;
  return {
    label: version,
    document,
    locate: async () => ({ file, line: 1, column: 1 }),
    close: async () => {},
  };
}

async function treeSide(): Promise<Side> {
  try {
    return await workingTree();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.message, { ...(error.hint && { hint: error.hint }), exitStatus: 2 });
  }
}
