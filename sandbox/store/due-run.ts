import type { DueStep } from "../domain/store.ts";
import type { StoredMessage } from "./messages.ts";

/** What became of the messages that were due: how many steps, each message as it stands now, and what goes with that. */
export interface DueRun {
  steps: number;
  changed: Set<StoredMessage>;
  effects: DueStep[];
}

const later = (a: StoredMessage, b: StoredMessage): boolean => {
  const [first, second] = [a.message.dueAt ?? 0, b.message.dueAt ?? 0];
  return first > second || (first === second && a.seq > b.seq);
};

/**
 * Hands each message to `step` at its turn. One that is due again soon takes its next turn here, so that it is read and written once, however many
 * turns it has.
 *
 * @param queue what is due, the earliest first; is used up
 * @param until how far the queue is known to be whole: what is due later waits for another run
 */
export function runQueue(
  queue: StoredMessage[],
  until: number,
  limit: number,
  step: (message: StoredMessage["message"]) => DueStep,
): DueRun {
  const run: DueRun = { steps: 0, changed: new Set(), effects: [] };
  for (let next = 0; next < queue.length && run.steps < limit; next += 1) {
    const placed = queue[next] as StoredMessage;
    const result = step(placed.message);
    placed.message = result.message;
    run.steps += 1;
    run.changed.add(placed);
    if (result.counted !== undefined || result.suppress !== undefined) run.effects.push(result);
    if (result.message.dueAt !== null && result.message.dueAt <= until) enqueue(queue, next + 1, placed);
  }
  return run;
}

/** Puts it in its place among those from `start` on. */
function enqueue(queue: StoredMessage[], start: number, placed: StoredMessage): void {
  let low = start;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (later(queue[middle] as StoredMessage, placed)) high = middle;
    else low = middle + 1;
  }
  queue.splice(low, 0, placed);
}
