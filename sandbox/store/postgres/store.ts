import { ClosedError } from "../../domain/closed.ts";
import type { Store } from "../../domain/store.ts";
import { accept, changeContact } from "./calls.ts";
import { keepClaims, releaseClaims } from "./claims.ts";
import { findContact, pageContacts } from "./contacts.ts";
import { Current } from "./current.ts";
import type { Database } from "./database.ts";
import type { Epoch } from "./epoch.ts";
import { forget } from "./forget.ts";
import { earliestDue } from "./message-rows.ts";
import { usedQuota } from "./quota.ts";
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
    return work(current.epoch);
  };
  return {
    ...methodsOf({ database, instance: signals.instance }, on, watch),
    get generation() {
      return current.epoch;
    },
    refresh: () => on(() => current.refresh()),
    setting: (name) => current.epoch.settings.get(name),
    nextSequence() {
      if (closed) throw new ClosedError();
      return current.epoch.sequence.next();
    },
    logRequest(request, generation) {
      if (!closed && generation === current.epoch) current.epoch.log.gather(request);
    },
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
    async close() {
      if (closed) return;
      closed = true;
      watch.close();
      await current.settled();
    },
  };
}

type On = <Result>(work: (epoch: Epoch) => Result | Promise<Result>) => Promise<Result>;

type Methods = Omit<
  Store,
  "generation" | "refresh" | "setting" | "nextSequence" | "logRequest" | "fill" | "reset" | "close"
>;

function methodsOf(
  { database, instance }: { database: Database; instance: string },
  on: On,
  watch: Watch,
): Methods {
  /** Tells the listeners what a change has written. */
  const changing = <Result>(
    work: (epoch: Epoch) => Promise<Result>,
    dueAtOf: (result: Result) => number | null | undefined = () => undefined,
  ): Promise<Result> =>
    on(async (epoch) => {
      const result = await work(epoch);
      watch.committed(epoch.number, dueAtOf(result) ?? undefined);
      return result;
    });
  return {
    isShared: true,
    instance,
    changeSetting: (name, change) => on((epoch) => epoch.changeSetting(name, change)),
    countRequest: (accountId, now, limit) => on(({ rates }) => rates.add({ accountId, now, limit })),
    recall: (idempotency, now) => on(({ recalls }) => recalls.add({ idempotency, now })),
    accept: (acceptance) => on((epoch) => accept(epoch, acceptance)),
    changeContact: (change) => on((epoch) => changeContact(epoch, change)),
    message: (accountId, id) => on(({ messages }) => messages.find(accountId, id)),
    messages: (page) => on(({ messages }) => messages.list(page)),
    summaries: (page) => on(({ messages }) => messages.summaries(page)),
    reschedule: (accountId, id, scheduledAt) =>
      changing(
        ({ messages }) => messages.reschedule(accountId, id, scheduledAt),
        (done) => (done ? scheduledAt : undefined),
      ),
    cancel: (accountId, id) => changing(({ messages }) => messages.cancel(accountId, id)),
    change: (accountId, id, step) =>
      changing(
        ({ messages }) => messages.change(accountId, id, step),
        (message) => message?.dueAt,
      ),
    nextDue: () => on(({ messages }) => messages.nextDue()),
    runDue: (run) => on((epoch) => epoch.runDue(run)),
    releaseClaims: async (dueAt, now) => {
      const { held } = await changing(
        ({ number }) => releaseClaims(database, number, { dueAt, now }),
        ({ released }) => (released > 0 ? dueAt : undefined),
      );
      return held;
    },
    keepClaims: (renewal) => on(({ number: epoch }) => keepClaims(database, { epoch, instance }, renewal)),
    watchDue: (listener) => watch.due(listener),
    suppress: (account, address, reason, at) =>
      changing(({ suppressions }) => suppressions.add({ account, address, reason, at })),
    unsuppress: (account, address) => changing(({ suppressions }) => suppressions.remove(account, address)),
    suppressions: (account) => on(({ suppressions }) => suppressions.list(account)),
    used: (accountId, now) => on(({ number }) => usedQuota(database, number, { accountId, now })),
    contact: (accountId, email) => on(({ number }) => findContact(database, number, [accountId, email])),
    contacts: (query) => on(({ number }) => pageContacts(database, number, query)),
    loggedRequest: (requestId) => on(({ log }) => log.find(requestId)),
    loggedRequests: (page) => on(({ log }) => log.list(page)),
    forget: (now) => on(({ number }) => forget(database, number, now)),
  };
}
