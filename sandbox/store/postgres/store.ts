import { ClosedError, type Store } from "../../domain/store.ts";
import { inTime } from "../check.ts";
import { Current } from "./current.ts";
import type { Database } from "./database.ts";
import type { Epoch } from "./epoch.ts";
import { type MethodParts, messageMethods } from "./message-methods.ts";
import { earliestDue } from "./message-rows.ts";
import { recordMethods } from "./record-methods.ts";
import type { Signals } from "./signals.ts";
import { Watch } from "./watch.ts";

interface StoreOptions {
  database: Database;
  signals: Signals;
  workspace: string;
}

/**
 * The store of a workspace. Closing it does not close the database.
 *
 * @throws ClosedError if the workspace does not exist
 */
export async function createStore({ database, signals, workspace }: StoreOptions): Promise<Store> {
  const onCommit = (epoch: number, dueAt: number | undefined): void => watch.committed(epoch, dueAt);
  const current = new Current({ database, workspace, onCommit });
  const watch = new Watch(signals, workspace, current);
  await current.refresh();
  await watch.start();
  let closed = false;
  /** Calls `work` with the epoch that is current now: after a reset it ends in the old one. */
  const on = async <Result>(work: (epoch: Epoch) => Result | Promise<Result>): Promise<Result> => {
    if (closed) throw new ClosedError();
    signals.assertAgreed();
    return work(current.epoch);
  };
  const parts = { database, on, changing: changing(on, watch) };
  return {
    ...messageMethods(parts),
    ...recordMethods(parts),
    isShared: true,
    watchDue: (listener) => watch.due(listener),
    get generation() {
      return current.epoch;
    },
    nextSequence() {
      if (closed) throw new ClosedError();
      return current.epoch.sequence.next();
    },
    logRequest(request, generation) {
      if (!closed && generation === current.epoch) current.epoch.log.gather(request);
    },
    ...stateMethods(on, current, watch),
    async close() {
      if (closed) return;
      closed = true;
      watch.close();
      await current.settled();
    },
  };
}

type On = MethodParts["on"];

const stateMethods = (
  on: On,
  current: Current,
  watch: Watch,
): Pick<Store, "refresh" | "setting" | "fill" | "reset"> => ({
  refresh: () => on(() => inTime(current.refresh())),
  setting: (name) => current.epoch.settings.get(name),
  fill: (state) =>
    on(async ({ number }) => {
      const filled = await current.fill(state);
      if (filled) watch.committed(number, earliestDue(state.messages));
      return filled;
    }),
  reset: (state) =>
    on(async () => {
      await current.reset(state);
      watch.committed(current.epoch.number, earliestDue(state.messages));
    }),
});

/** Tells the listeners what a change has written. */
const changing =
  (on: On, watch: Watch): MethodParts["changing"] =>
  (work, dueAtOf = () => undefined) =>
    on(async (epoch) => {
      const result = await work(epoch);
      watch.committed(epoch.number, dueAtOf(result) ?? undefined);
      return result;
    });
