import type { DueStep, Store } from "../domain/store.ts";
import { type DueRun, runQueue } from "./due-run.ts";
import type { Session } from "./session.ts";
import type { Tables } from "./tables.ts";

type DueSteps = "nextDue" | "runDue" | "releaseClaims" | "change" | "watchDue";

/** The steps of a store in which something happens to messages by itself. */
export function dueSteps(session: Session): Pick<Store, DueSteps> {
  return {
    nextDue: () => session.read(({ messages }) => messages.earliestDue()),
    watchDue: (listener) => session.due.watch(listener),
    runDue: (until, limit, step) => runDue(session.tables, until, limit, step),
    releaseClaims: (dueAt) =>
      session.write(({ messages }) => {
        if (messages.releaseClaims(dueAt)) session.due.note(dueAt);
      }),
    change: (accountId, id, step) => change(session, accountId, id, step),
  };
}

function runDue(tables: Tables, ...[until, limit, step]: Parameters<Store["runDue"]>): Promise<number> {
  return tables.commits.write(
    () => {
      const queue = tables.messages.due(until, limit);
      const whole = queue.length < limit ? until : (queue.at(-1)?.message.dueAt ?? until) - 1;
      return runQueue(queue, whole, limit, step);
    },
    (run) => keepRun(tables, run),
  );
}

function change({ tables, due }: Session, ...[accountId, id, step]: Parameters<Store["change"]>) {
  return tables.commits.write(
    () => {
      const placed = tables.messages.place(accountId, id);
      return placed && { placed, result: step(placed.message) };
    },
    (decided) => {
      if (decided?.result === undefined) return decided?.placed.message;
      const { placed, result } = decided;
      tables.messages.update({ seq: placed.seq, message: result.message });
      if (result.message.dueAt !== null) due.note(result.message.dueAt);
      keepEffects(tables, result);
      return { ...result.message, content: placed.message.content };
    },
  );
}

function keepRun(tables: Tables, { steps, changed, effects }: DueRun): number {
  for (const placed of changed) tables.messages.update(placed);
  for (const step of effects) keepEffects(tables, step);
  return steps;
}

function keepEffects(tables: Tables, { message, counted, suppress }: DueStep): void {
  if (counted !== undefined) tables.quota.add(message.accountId, counted.at, counted.recipients);
  for (const suppression of suppress ?? []) tables.suppressions.add(message.accountId, suppression);
}
