import type { Node, Path } from "../document/values.ts";
import { compareAnswer, compareReferred } from "./answers.ts";
import type { Walk } from "./found.ts";

const isSuccess = (status: string): boolean => /^[23]/.test(status);
const covers = (wide: string, status: string): boolean => wide.toUpperCase() === `${status[0]}XX`;

/** Compares what an operation answers, status by status. `2XX` stands for a success that is not specified. */
export function compareStatuses(walk: Walk, before: Node, after: Node, path: Path): void {
  const removed = Object.keys(before).filter((status) => !(status in after));
  const added = Object.keys(after).filter((status) => !(status in before));
  for (const status of Object.keys(before).filter((one) => one in after)) {
    compareReferred(walk, [before[status], after[status]], [...path, status], compareAnswer);
  }
  const successor = isSwapped(removed, added);
  if (successor !== undefined) {
    const { from, to, kind } = successor;
    walk.report({ kind, path: [...path, to], side: "new", name: to, before: from, after: to });
    compareReferred(walk, [before[from], after[to]], [...path, to], ignoringReference);
  }
  for (const status of removed.filter((one) => one !== successor?.from)) {
    const kind = isSuccess(status) ? "success-status-removed" : "error-status-removed";
    walk.report({ kind, path: [...path, status], side: "old", name: status });
  }
  for (const status of added.filter((one) => one !== successor?.to)) {
    const isKnown = Object.keys(before).some((wide) => covers(wide, status));
    const plain = isSuccess(status) ? "success-status-added" : "error-status-added";
    const kind = isKnown ? "success-status-specified" : plain;
    walk.report({ kind, path: [...path, status], side: "new", name: status });
  }
}

/** One success status that takes the place of another is one difference. */
function isSwapped(
  removed: string[],
  added: string[],
): { from: string; to: string; kind: string } | undefined {
  const [from, ...others] = removed.filter(isSuccess);
  const [to, ...more] = added.filter(isSuccess);
  if (from === undefined || to === undefined || others.length + more.length > 0) return undefined;
  const kind = covers(from, to) ? "success-status-specified" : "success-status-changed";
  return { from, to, kind };
}

function ignoringReference(walk: Walk, before: Node, after: Node, path: Path): void {
  compareAnswer(walk, before, after, path);
}
