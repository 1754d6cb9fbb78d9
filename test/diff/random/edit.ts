import type { Verdict } from "../../../scripts/diff/comparison.ts";
import { pointerOf } from "../../../scripts/document/json-pointer.ts";
import type { Node, Path } from "../../../scripts/document/values.ts";
import type { Uses } from "./places.ts";

/** One edit of a document and its expected verdict. */
export interface RandomEdit {
  /** What it changes and where, for messages. */
  title: string;
  /** The path of the node that it changes. */
  path: Path;
  apply(document: Node): Node;
  /** The expected verdict; undefined: breaking or additive. */
  verdict: Verdict | undefined;
}

/** Makes an edit from a name and a number; undefined if the node does not allow it. */
export type EditMaker = (name: string, number: number) => RandomEdit | undefined;

/** Changes a node; undefined if the node does not allow it. */
export type Change = (node: Node) => Node | undefined;

/** A copy with another value at a path; everything else is shared. */
function updated(value: unknown, [step, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.with(Number(step), updated(value[Number(step)], rest, change));
  const node = value as Node;
  return { ...node, [step]: updated(node[step], rest, change) };
}

/** The edit that changes a node; undefined if the node does not allow it. */
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

/** The verdict of an edit from that in requests and that in responses: the heavier one for a part that is used in both. */
export function verdictFor(
  { request, response }: Uses,
  inRequest: Verdict,
  inResponse: Verdict,
): Verdict | undefined {
  const verdicts = [...(request ? [inRequest] : []), ...(response ? [inResponse] : [])];
  return (["breaking", "additive", "editorial"] as const).find((one) => verdicts.includes(one));
}

/** The node without a key. */
export function without(node: Node, key: string): Node {
  const { [key]: _, ...rest } = node;
  return rest;
}

/** One entry of a list, by a number of any size; undefined of an empty list. */
export const pick = <Item>(items: readonly Item[], number: number): Item | undefined =>
  items[number % Math.max(1, items.length)];
