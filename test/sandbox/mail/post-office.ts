import { type Outbound, usualDelays } from "../../../sandbox/domain/due.ts";
import type { Message } from "../../../sandbox/domain/records.ts";
import type { Store } from "../../../sandbox/domain/store.ts";
import { type OutboundOptions, openOutbound } from "../../../sandbox/mail/outbound.ts";
import { openStore } from "../../../sandbox/store/open.ts";
import { SandboxClock } from "../../../sandbox/time/clock.ts";
import { startDueEngine } from "../../../sandbox/time/due-engine.ts";
import { withSettings } from "../store/records.ts";
import { sentAt } from "./messages.ts";

export interface PostOffice extends Pick<Outbound, "smtp" | "close"> {
  store: Store;
  clock: SandboxClock;
  /** What went wrong inside. */
  errors: unknown[];
  send(...messages: Message[]): Promise<void>;
  reset(): Promise<void>;
  /** The message as it stands, which has to be there. */
  read(id: string): Promise<Message>;
  /** Ends it in good order. */
  end(): Promise<void>;
}

type Options = Omit<OutboundOptions, "store" | "clock" | "simulatorDomain" | "onError"> & {
  data?: string;
};

/** A store, a clock that stands still, what is due, and mail that goes out: a sandbox without its API. */
export async function openPostOffice({ data, ...options }: Options = {}): Promise<PostOffice> {
  const { store } = await openStore(data === undefined ? {} : { data });
  const clock = new SandboxClock({ store, frozen: true, startAt: sentAt });
  await store.fill(withSettings(clock.atStart()));
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const simulatorDomain = "simulator.example";
  const outbound = await openOutbound({ ...options, store, clock, simulatorDomain, onError });
  const rules = { simulatorDomain, delays: usualDelays };
  const engine = startDueEngine({ store, clock, rules, outbound, onError });
  return {
    ...{ store, clock, errors, smtp: outbound.smtp },
    close: () => outbound.close(),
    send: (...messages) => send(store, outbound, messages),
    reset: () => outbound.reset(() => store.reset(withSettings(clock.atStart()))),
    read: async (id) => {
      const message = await store.message("acme", id);
      if (message === undefined) throw new Error(`there is no message ${id}`);
      return message;
    },
    end: async () => {
      await Promise.all([engine.stop(), outbound.close()]);
      await store.close();
    },
  };
}

async function send(store: Store, outbound: Outbound, messages: Message[]): Promise<void> {
  await store.accept({
    ...{ accountId: "acme", now: sentAt, recipients: [], idempotency: null },
    decide: () => ({
      messages,
      counted: 0,
      response: { status: 202, body: "{}" },
    }),
  });
  outbound.send(messages);
}
