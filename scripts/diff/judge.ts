import { pointerOf, valueAt } from "../document/json-pointer.ts";
import { type Node, nodeOf, type Path, textsOf } from "../document/values.ts";
import { byWeight, type Difference } from "./difference.ts";
import type { Found } from "./found.ts";
import type { OasdiffChange } from "./oasdiff.ts";
import type { Policy } from "./policy.ts";
import { operationsAt, operationsOf, usagesOf } from "./usage.ts";

/**
 * Judges what was found by the policy. A place with two uses is told once, with the heavier verdict. What oasdiff
 * found is laid beside the differences that explain it; what none explains is a difference by itself.
 */
export function judged(
  found: Found[],
  changes: OasdiffChange[],
  { before, after, policy }: { before: Node; after: Node; policy: Policy },
): Difference[] {
  const documents = [before, after];
  const usages = documents.map(usagesOf);
  const byPlace = new Map<string, Difference>();
  const kindsAt = new Map<Difference, Set<string>>();
  for (const one of found) {
    const { kind, path, side, name } = one;
    const entry = policy.entryOf(kind, name);
    const pointer = pointerOf(path);
    const place = `${side} ${pointer}`;
    const known = byPlace.get(place);
    const kinds = (known && kindsAt.get(known)) ?? new Set();
    kinds.add(kind);
    if (known !== undefined && byWeight(known.verdict, entry.verdict) <= 0) continue;
    const difference: Difference = {
      kind,
      verdict: entry.verdict,
      what: filled(entry.what, one),
      pointer,
      side,
      requirement: entry.requirement,
      promises: promisesAt(before, path),
      instead: entry.instead,
      operations: operationsAt(documents, usages, path),
      seenBy: [],
    };
    byPlace.set(place, difference);
    kindsAt.set(difference, kinds);
  }
  const differences = [...byPlace.values()];
  const checksOf = new Map(
    differences.map((one) => [
      one,
      [...(kindsAt.get(one) ?? [])].flatMap((kind) => policy.entries.get(kind)?.oasdiff ?? []),
    ]),
  );
  const unexplained = changes.filter((change) => !isExplained(change, checksOf, documents));
  return [...differences, ...unexplained.map((change) => asDifference(change, documents, policy))];
}

function filled(template: string, { name, before, after }: Found): string {
  const values: Record<string, unknown> = { name, before, after };
  const text = template.replaceAll(/\{(name|before|after)\}/g, (_, key: string) => shownValue(values[key]));
  return text.length > 400 ? `${text.slice(0, 397)}...` : text;
}

function shownValue(value: unknown): string {
  if (value === undefined || value === "") return "none";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(" or ");
  return JSON.stringify(value);
}

/** The promises that the nearest marked node around the place says. */
function promisesAt(document: Node, path: Path): string[] {
  for (let length = path.length; length > 0; length -= 1) {
    const marks = textsOf(nodeOf(valueAt(document, path.slice(0, length)))["x-encodes"] ?? []);
    if (marks.length > 0) return marks;
  }
  return [];
}

/** Finds what explains a change that oasdiff tells, and notes it there. */
function isExplained(
  change: OasdiffChange,
  checksOf: ReadonlyMap<Difference, string[]>,
  documents: Node[],
): boolean {
  const operation = idOf(change, documents);
  const isHere = ({ operations, pointer }: Difference): boolean =>
    operation === undefined || operations.includes(operation) || pointer.startsWith("/security");
  const causes = [...checksOf].filter(
    ([difference, checks]) => isHere(difference) && checks.some((check) => matches(change.id, check)),
  );
  for (const [cause] of causes) if (!cause.seenBy.includes(change.id)) cause.seenBy.push(change.id);
  return causes.length > 0;
}

function matches(id: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[^a-z-]/g, ""));
  return new RegExp(`^${parts.join(".*")}$`).test(id);
}

function idOf({ operation, path }: OasdiffChange, documents: Node[]): string | undefined {
  if (operation === undefined || path === undefined) return undefined;
  const method = operation.toLowerCase();
  return documents
    .flatMap((document) => [...operationsOf(document)])
    .find((one) => one.method === method && one.address === path)?.id;
}

function asDifference(change: OasdiffChange, documents: Node[], policy: Policy): Difference {
  const { what, instead, requirement, ...entry } = policy.entryOf("unexplained", change.id);
  const operation = idOf(change, documents);
  const method = change.operation?.toLowerCase();
  const path = change.path === undefined || method === undefined ? [] : ["paths", change.path, method];
  return {
    kind: entry.kind,
    // Whatever it is, nobody has looked at it yet.
    verdict: entry.verdict,
    what: what.replace("{name}", () => `${change.text} (${change.id})`),
    pointer: pointerOf(path),
    side: "new",
    requirement,
    promises: [],
    instead,
    operations: operation === undefined ? [] : [operation],
    seenBy: [change.id],
  };
}
