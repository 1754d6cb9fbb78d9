import type { DueMessage, DueStep, Store } from "../domain/store.ts";
import type { StoredMessage } from "./messages.ts";
import type { Tables } from "./tables.ts";

/** Processes due messages, in one transaction. @returns the number of steps */
export function runDue(
  tables: Tables,
  ...[until, limit, step]: Parameters<Store["runDue"]>
): Promise<number> {
  return tables.commits.write(
    () => {
      const queue = tables.messages.due(until, limit);
      // Beyond the last one, other messages may be due that are not in the queue.
      const complete = queue.length < limit ? until : (queue.at(-1)?.message.dueAt ?? until) - 1;
      return runQueue(queue, complete, limit, step);
    },
    ({ steps, changed, effects }) => {
      for (const stored of changed) tables.messages.update(stored);
      for (const effect of effects) writeEffects(tables, effect);
      return steps;
    },
  );
}

/** Changes one message, in one transaction. @returns the message after the change */
export function changeMessage(
  tables: Tables,
  ...[accountId, id, step]: Parameters<Store["change"]>
): ReturnType<Store["change"]> {
  return tables.commits.write(
    () => {
      const stored = tables.messages.stored(accountId, id);
      return stored && { stored, result: step(stored.message) };
    },
    (decided) => {
      if (decided?.result === undefined) return decided?.stored.message;
      const { stored, result } = decided;
      tables.messages.update({ seq: stored.seq, message: result.message });
      tables.noteDue(result.message.dueAt);
      writeEffects(tables, result);
      return { ...result.message, content: stored.message.content };
    },
  );
}

function writeEffects(tables: Tables, { message, counted, suppress }: DueStep): void {
  if (counted !== undefined) tables.quota.add(message.accountId, counted.at, counted.recipients);
  for (const suppression of suppress ?? []) tables.suppressions.add(message.accountId, suppression);
}

interface DueRun {
  steps: number;
  changed: Set<StoredMessage>;
  effects: DueStep[];
}

/**
 * Calls `step` for each message in order. One that is due again by `until` is queued again, so that it is read and written once, however many
 * steps it takes.
 *
 * @param queue the due messages, the earliest first; modified
 */
function runQueue(
  queue: StoredMessage[],
  until: number,
  limit: number,
  step: (message: DueMessage) => DueStep,
): DueRun {
  const run: DueRun = { steps: 0, changed: new Set(), effects: [] };
  for (let next = 0; next < queue.length && run.steps < limit; next += 1) {
    const stored = queue[next] as StoredMessage;
    const result = step(stored.message);
    stored.message = result.message;
    run.steps += 1;
    run.changed.add(stored);
    if (result.counted !== undefined || result.suppress !== undefined) run.effects.push(result);
    if (result.message.dueAt !== null && result.message.dueAt <= until) enqueue(queue, next + 1, stored);
  }
  return run;
}

/** Inserts a message in order, by binary search from `start` on. */
function enqueue(queue: StoredMessage[], start: number, stored: StoredMessage): void {
  let low = start;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isLater(queue[middle] as StoredMessage, stored)) high = middle;
    else low = middle + 1;
  }
  queue.splice(low, 0, stored);
}

const isLater = (a: StoredMessage, b: StoredMessage): boolean => {
  const [first, second] = [a.message.dueAt ?? 0, b.message.dueAt ?? 0];
  return first > second || (first === second && a.seq > b.seq);
};
