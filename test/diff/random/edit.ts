import type { Verdict } from "../../../scripts/diff/policy.ts";
import { pointerOf } from "../../../scripts/document/json-pointer.ts";
import type { Node, Path } from "../../../scripts/document/values.ts";
import type { Uses } from "./places.ts";

/** One edit of a document, and what it must come to. */
export interface RandomEdit {
  /** What it does and where, for messages. */
  title: string;
  /** The place that it changes something of. */
  path: Path;
  apply(document: Node): Node;
  /** The weightiest verdict of it alone; undefined where that takes more thought than a label has: any but editorial. */
  verdict: Verdict | undefined;
}

/** Makes an edit with a name and a number; undefined where it cannot be made. */
export type EditMaker = (name: string, number: number) => RandomEdit | undefined;

/** What a node becomes; undefined where this cannot be done to it. */
export type Change = (node: Node) => Node | undefined;

/** A document with another value at a path. All that is not on the way to it is shared. */
export function updated(value: unknown, [step, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.with(Number(step), updated(value[Number(step)], rest, change));
  const node = value as Node;
  return { ...node, [step]: updated(node[step], rest, change) };
}

/** The edit that changes a node; undefined where it cannot be done. */
export function editAt(
  title: string,
  document: Node,
  path: Path,
  change: Change,
  verdict: Verdict | undefined,
): RandomEdit | undefined {
  const node = path.reduce<unknown>((value, step) => (value as Node | undefined)?.[step], document) as Node;
  const changed = change(node);
  if (changed === undefined) return undefined;
  return {
    title: `${title} at ${pointerOf(path)}`,
    path,
    apply: (whole) => updated(whole, path, (one) => change(one as Node) ?? one) as Node,
    verdict,
  };
}

/** The verdict of an edit by what it is in requests and what in answers: the heavier one where a part is for both. */
export function verdictFor(
  { request, answer }: Uses,
  inRequest: Verdict,
  inAnswer: Verdict,
): Verdict | undefined {
  const verdicts = [...(request ? [inRequest] : []), ...(answer ? [inAnswer] : [])];
  return (["breaking", "allowed", "editorial"] as const).find((one) => verdicts.includes(one));
}

/** The node without a key. */
export function without(node: Node, key: string): Node {
  const { [key]: _, ...rest } = node;
  return rest;
}

/** One entry of a list, by a number of any size; undefined of an empty list. */
export const pick = <Item>(items: readonly Item[], number: number): Item | undefined =>
  items[number % Math.max(1, items.length)];
