import { runQueue } from "../../domain/due.ts";
import type { DueRun, DueStep, Store } from "../../domain/store.ts";
import type { Tables } from "./tables.ts";

/** Processes due messages, in one transaction. @returns the number of steps */
export function runDue(tables: Tables, run: DueRun): Promise<number> {
  return tables.commits.write(
    () => runQueue(tables.messages.due(run.until, run.limit), run),
    ({ steps, changed, effects }) => {
      for (const stored of changed) tables.messages.update(stored);
      for (const effect of effects) writeEffects(tables, effect);
      if (run.setting !== undefined) {
        const { name, change } = run.setting;
        tables.settings.set(name, change(tables.settings.get(name)));
      }
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
