import type { Message } from "../../domain/records.ts";
import type { DueRun, Store } from "../../domain/store.ts";
import type { State } from "./state.ts";

/** Changes a message that is still `scheduled`. @returns whether it is */
export function changeScheduled(
  state: State,
  accountId: string,
  id: string,
  change: Partial<Message>,
): boolean {
  const message = state.messages.find(accountId, id);
  if (message?.status !== "scheduled") return false;
  state.update({ ...message, ...change });
  return true;
}

/** @returns the message after the change */
export function changeMessage(
  state: State,
  ...[accountId, id, step]: Parameters<Store["change"]>
): Message | undefined {
  const message = state.messages.find(accountId, id);
  const result = message && step(message);
  if (message === undefined || result === undefined) return message;
  state.update(result.message);
  state.apply(result);
  return state.messages.find(accountId, id);
}

/** Processes due messages. @returns the number of steps */
export function runDue(state: State, run: DueRun): number {
  const { steps, effects } = state.messages.runDue(run);
  for (const effect of effects) state.apply(effect);
  if (run.setting !== undefined) {
    const { name, change } = run.setting;
    state.set(name, change(state.settings.get(name)));
  }
  return steps;
}
