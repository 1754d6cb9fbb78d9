import { usualDelays } from "../../../sandbox/domain/due.ts";
import type { Message } from "../../../sandbox/domain/records.ts";
import type { Store } from "../../../sandbox/domain/store.ts";
import { type Outgoing, type OutgoingOptions, openOutgoing } from "../../../sandbox/mail/outgoing.ts";
import { openStore } from "../../../sandbox/store/sqlite.ts";
import { createClock, type SandboxClock } from "../../../sandbox/time/clock.ts";
import { startDueEngine } from "../../../sandbox/time/due-engine.ts";
import { numberIn } from "../store/numbers.ts";
import { sentAt } from "./messages.ts";

export interface PostOffice extends Outgoing {
  clock: SandboxClock;
  /** What went wrong inside. */
  errors: unknown[];
  send(...messages: Message[]): Promise<void>;
  /** The message as it stands, which has to be there. */
  read(id: string): Promise<Message>;
  /** Ends it in good order. */
  end(): Promise<void>;
  /** Takes the store away from under it, as a crash would. */
  crash(): Promise<void>;
}

type Options = Omit<OutgoingOptions, "store" | "clock" | "simulatorDomain" | "onError"> & {
  data?: string;
  /** Whether the clock runs. */
  running?: boolean;
};

/** A store, a clock that stands still unless told to run, what is due, and mail that goes out: a sandbox without its API. */
export async function openPostOffice({
  data,
  running = false,
  ...options
}: Options = {}): Promise<PostOffice> {
  const inner = openStore(data === undefined ? { numberIn } : { folder: data, numberIn });
  const clock = createClock({ store: inner, frozen: !running, startAt: sentAt });
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const simulatorDomain = "simulator.example";
  const outgoing = await openOutgoing({ ...options, store: inner, clock, simulatorDomain, onError });
  const { store } = outgoing;
  const engine = startDueEngine({ store, clock, rules: { simulatorDomain, delays: usualDelays }, onError });
  return {
    ...{ ...outgoing, clock, errors },
    send: (...messages) => take(store, messages),
    read: async (id) => {
      const message = await store.message("acme", id);
      if (message === undefined) throw new Error(`there is no message ${id}`);
      return message;
    },
    end: async () => {
      await Promise.all([engine.stop(), outgoing.close()]);
      await inner.close();
    },
    crash: async () => {
      const stopped = engine.stop();
      await inner.close();
      // What was under way finds no store any more.
      stopped.catch(() => {});
    },
  };
}

async function take(store: Store, messages: Message[]): Promise<void> {
  await store.accept({
    ...{ accountId: "acme", now: sentAt, recipients: [], idempotency: null },
    decide: () => ({ messages, counted: 0, response: { status: 202, body: "{}" } }),
  });
}
