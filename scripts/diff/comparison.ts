import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { openapiFolder } from "../common/paths.ts";
import { pathOf, pointerOf, valueAt } from "../document/json-pointer.ts";
import type { SourcePlace } from "../document/locate.ts";
import { type Node, nodeOf, type Path, textsOf } from "../document/values.ts";
import type { Change } from "./change.ts";
import { affectedOperations } from "./usage.ts";

/** One difference between two bundles, classified by the policy. */
export interface Difference extends PolicyEntry {
  kind: string;
  /** JSON Pointer into the revision, or into the base if the revision does not have it. */
  pointer: string;
  document: "base" | "revision";
  /** The place in the sources of the revision; for something removed, that of its parent. */
  place?: SourcePlace;
  /** The old name of something that was renamed. */
  renamed?: string;
  /** The requirements that the place itself is marked with (`x-encodes`). */
  encodes: string[];
  /** The ids of the operations that it affects. */
  operations: string[];
  /** What an application relies on that it concerns; absent without a file of needs. */
  concerns?: string[];
}

/** All differences between two bundles, the breaking ones first. */
export interface Comparison {
  differences: Difference[];
  counts: Record<Verdict, number>;
  /** Those that concern an application. */
  concerning?: Record<Verdict, number>;
}

/** Classifies changes. Of several changes at one place, the one with the most severe verdict is kept. */
export function classify(changes: Change[], base: Node, revision: Node): Comparison {
  const byPlace = new Map<string, Difference>();
  for (const change of changes) {
    const entry = policyFor(change.kind, change.name);
    const pointer = pointerOf(change.path);
    const place = `${change.document} ${pointer}`;
    const known = byPlace.get(place);
    if (known !== undefined && weight(known) <= weight(entry)) continue;
    byPlace.set(place, {
      kind: change.kind,
      ...(change.kind.endsWith("-renamed") && { renamed: String(change.before) }),
      verdict: entry.verdict,
      message: filled(entry.message, change),
      pointer,
      document: change.document,
      requirement: entry.requirement,
      encodes: encodedAt(base, change.path),
      advice: filled(entry.advice, change),
      operations: affectedOperations(change, base, revision),
    });
  }
  const differences = [...byPlace.values()].sort(
    (one, other) =>
      weight(one) - weight(other) || (one.pointer < other.pointer ? -1 : one.pointer > other.pointer ? 1 : 0),
  );
  return { differences, counts: countsOf(differences) };
}

function countsOf(differences: readonly Difference[]): Record<Verdict, number> {
  const counts = { breaking: 0, additive: 0, editorial: 0 };
  for (const { verdict } of differences) counts[verdict] += 1;
  return counts;
}

/** The comparison with what each difference concerns. */
export function withConcerns(comparison: Comparison, concernsOf: (one: Difference) => string[]): Comparison {
  const differences = comparison.differences.map((one) => ({ ...one, concerns: concernsOf(one) }));
  const concerning = countsOf(differences.filter(({ concerns }) => concerns.length > 0));
  return { ...comparison, differences, concerning };
}

/** The comparison with the place of each difference in the sources of the revision. */
export async function located(comparison: Comparison, locate: (pointer: string) => Promise<SourcePlace>) {
  const place = async (one: Difference): Promise<Difference> => {
    const path = pathOf(one.pointer);
    return { ...one, place: await locate(pointerOf(one.document === "base" ? path.slice(0, -1) : path)) };
  };
  return { ...comparison, differences: await Promise.all(comparison.differences.map(place)) };
}

const weight = ({ verdict }: { verdict: Verdict }): number => verdicts.indexOf(verdict);

function filled(template: string, change: Change): string {
  const text = template.replaceAll(/\{(name|owner|before|after)\}/g, (_, key: "name") =>
    shownValue(change[key]),
  );
  return text.length > 400 ? `${text.slice(0, 397)}...` : text;
}

function shownValue(value: unknown): string {
  if (value === undefined || value === "") return "none";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(" or ");
  return JSON.stringify(value);
}

/** The requirements of the nearest marked node around the path. */
function encodedAt(document: Node, path: Path): string[] {
  for (let length = path.length; length > 0; length -= 1) {
    const marks = textsOf(nodeOf(valueAt(document, path.slice(0, length)))["x-encodes"] ?? []);
    if (marks.length > 0) return marks;
  }
  return [];
}

/** What a change means for clients, the most severe first: see openapi/compatibility.yaml. */
export const verdicts = ["breaking", "additive", "editorial"] as const;
export type Verdict = (typeof verdicts)[number];

interface PolicyEntry {
  verdict: Verdict;
  /** The requirement that the verdict follows from. */
  requirement: string;
  /** The message, with `{name}`, `{owner}`, `{before}` and `{after}` to fill in. */
  message: string;
  advice: string;
}

export const policyFile = join(openapiFolder, "compatibility.yaml");
const { kinds, exceptions, defaultAdvice } = parse(readFileSync(policyFile, "utf8")) as {
  defaultAdvice: Record<Verdict, string>;
  exceptions: ({ kind: string; name: string } & Pick<PolicyEntry, "verdict" | "advice">)[];
  kinds: Record<string, PolicyEntry>;
};

export function policyFor(kind: string, name: string): PolicyEntry {
  const entry = kinds[kind];
  if (entry === undefined) throw new Error(`openapi/compatibility.yaml has no entry for ${kind}`);
  const exception = exceptions.find((one) => one.kind === kind && one.name === name);
  const { verdict, advice, ...rest } = { ...entry, ...exception };
  return { ...rest, verdict, advice: advice ?? defaultAdvice[verdict] };
}
