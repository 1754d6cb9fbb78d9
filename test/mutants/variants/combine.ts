import type { Interceptor, MutantRequest, MutantResponse, Next, SandboxContext } from "../mutant.ts";
import { isObject, type Variant } from "./variant.ts";

/** One server with the behaviour of several variants, and what it shows of each. */
export interface Combination {
  intercept(context: SandboxContext): Interceptor;
  deliver(mime: string, recipient: string): string;
  /** The number of requests and mails that each variant treats in another way than the sandbox, in the order of the variants. */
  differences: number[];
  /** Whether the client or the sandbox sees something of it: no other variant undoes it. */
  isSeen: boolean[];
}

/** What a variant made of a response. */
interface Change {
  index: number;
  before: MutantResponse | undefined;
  after: MutantResponse;
}

/** Variants on top of each other; the first is nearest to the client. */
export function combined(variants: readonly Variant[]): Combination {
  const differences = variants.map(() => 0);
  const isSeen = variants.map(() => false);
  const count = (index: number): void => {
    differences[index] = (differences[index] ?? 0) + 1;
  };

  /** A variant that notes what it changes. */
  const noted = async (
    { index, intercept }: { index: number; intercept: Interceptor },
    request: MutantRequest,
    inner: Next,
    onChange: (change: Change) => void,
  ): Promise<MutantResponse> => {
    let before: MutantResponse | undefined;
    let isSentOtherwise = false;
    const after = await intercept(request, async (sent) => {
      isSentOtherwise ||= isOther(sent, request);
      before = await inner(sent);
      return before;
    });
    const isChanged = isOther(after, before);
    if (isSentOtherwise || isChanged) count(index);
    if (isSentOtherwise) isSeen[index] = true;
    else if (isChanged && !isSeen[index]) onChange({ index, before, after });
    return after;
  };

  return {
    differences,
    isSeen,
    intercept: (context) => {
      const parts = variants.flatMap(({ intercept }, index) =>
        intercept === undefined ? [] : [{ index, intercept: intercept(context) }],
      );
      return async (request, next) => {
        const changes: Change[] = [];
        const note = changes.push.bind(changes);
        const outermost = parts.reduceRight<Next>(
          (inner, part) => (sent) => noted(part, sent, inner, note),
          next,
        );
        const response = await outermost(request);
        for (const change of changes) isSeen[change.index] ||= isVisible(change, response);
        return response;
      };
    },
    deliver: (mime, recipient) => {
      let all = mime;
      for (const [index, { deliver }] of variants.entries()) {
        const changed = deliver?.(all, recipient) ?? all;
        if (changed === all) continue;
        count(index);
        isSeen[index] = true;
        all = changed;
      }
      return all;
    },
  };
}

const isOther = (one: unknown, other: unknown): boolean =>
  one !== other && JSON.stringify(one) !== JSON.stringify(other);

/** Whether the response that the client gets has a value that the variant changed, or the order of its properties. */
function isVisible({ before, after }: Change, final: MutantResponse): boolean {
  if (final === after) return true;
  const [old, own, all] = [leavesOf(before), leavesOf(after), leavesOf(final)];
  const changed = [...new Set([...old.keys(), ...own.keys()])].filter(
    (path) => old.get(path) !== own.get(path),
  );
  if (changed.length > 0) return changed.some((path) => all.get(path) !== old.get(path));
  const orderIn = (one: Map<string, unknown>, other: Map<string, unknown>): string =>
    [...one.keys()].filter((path) => other.has(path)).join("\n");
  return orderIn(old, all) !== orderIn(all, old);
}

/** The values of a response by their paths, in their order. */
function leavesOf(response: MutantResponse | undefined): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  const add = (path: string, value: unknown): void => {
    if (Array.isArray(value)) for (const [index, entry] of value.entries()) add(`${path}/${index}`, entry);
    else if (isObject(value))
      for (const [name, inner] of Object.entries(value)) add(`${path}/${name}`, inner);
    else leaves.set(path, value);
  };
  if (response === undefined) return leaves;
  const { status, headers, body, text } = response;
  add("", { status, headers, body: body ?? parsed(text) });
  return leaves;
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return text;
  }
}
