import type { DueMessage, DueRun, DueStep } from "./due-messages.ts";

/** A due message and its place in the order of messages. */
export interface Queued {
  seq: number;
  message: DueMessage;
}

interface Processed<Item> {
  steps: number;
  changed: Set<Item>;
  effects: DueStep[];
}

/**
 * Processes due messages. One that is due again by `until` is queued again, so that it is read and written once, however many steps it takes.
 *
 * @param queue at most `limit` due messages, the earliest first; modified
 */
export function runQueue<Item extends Queued>(
  queue: Item[],
  { until, limit, start, step }: DueRun,
): Processed<Item> {
  start?.();
  // Beyond the last one, other messages may be due that are not in the queue.
  const complete = queue.length < limit ? until : (queue.at(-1)?.message.dueAt ?? until) - 1;
  const run: Processed<Item> = { steps: 0, changed: new Set(), effects: [] };
  for (let next = 0; next < queue.length && run.steps < limit; next += 1) {
    const queued = queue[next] as Item;
    const result = step(queued.message);
    queued.message = result.message;
    run.steps += 1;
    run.changed.add(queued);
    if (result.counted !== undefined || result.suppress !== undefined) run.effects.push(result);
    if (result.message.dueAt !== null && result.message.dueAt <= complete) enqueue(queue, next + 1, queued);
  }
  return run;
}

/** Inserts a message in order, by binary search from `start` on. */
function enqueue<Item extends Queued>(queue: Item[], start: number, stored: Item): void {
  let low = start;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isLater(queue[middle] as Item, stored)) high = middle;
    else low = middle + 1;
  }
  queue.splice(low, 0, stored);
}

const isLater = (a: Queued, b: Queued): boolean => {
  const [first, second] = [a.message.dueAt ?? 0, b.message.dueAt ?? 0];
  return first > second || (first === second && a.seq > b.seq);
};
