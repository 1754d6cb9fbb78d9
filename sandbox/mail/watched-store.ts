import type { Message } from "../domain/records.ts";
import type { Acceptance, ContactChange, DueMessage, DueStep, Store } from "../domain/store.ts";
import type { SandboxClock } from "../time/clock.ts";
import type { Folder } from "./folder.ts";
import type { Relay } from "./relay.ts";
import { leaving } from "./relay-state.ts";

/** Where messages go once they are sent. */
export interface Way {
  clock: Pick<SandboxClock, "advancing">;
  simulatorDomain: string;
  relay: Relay | undefined;
  folder: Folder | undefined;
}

/** The store, but for the calls that send messages or take them away. */
export function watchStore(store: Store, way: Way): Store {
  const { clock, simulatorDomain, relay, folder } = way;
  const outward = (message: Message): Message =>
    relay === undefined ? message : atOnce(message, simulatorDomain);
  const writing = (): ((messages: Message[]) => void) => {
    const round = folder?.round;
    return (messages) => {
      for (const message of messages)
        if (round !== undefined && message.status === "sent") folder?.write(message, round);
    };
  };
  const watched: Pick<Store, "accept" | "changeContact" | "runDue" | "reset"> = {
    async accept(acceptance) {
      const write = writing();
      let taken: Message[] = [];
      const outcome = await store.accept({
        ...acceptance,
        decide: (suppressed) => {
          const decision = acceptance.decide(suppressed);
          if ("error" in decision) return decision;
          taken = decision.messages.map(outward);
          return { ...decision, messages: taken };
        },
      } satisfies Acceptance);
      if ("response" in outcome) write(taken);
      return outcome;
    },
    async changeContact<Result>(change: ContactChange<Result>) {
      const write = writing();
      let taken: Message[] = [];
      const outcome = await store.changeContact({
        ...change,
        decide: (contact, suppressed) => {
          const decision = change.decide(contact, suppressed);
          if (decision.mail === undefined) return decision;
          const mail = outward(decision.mail);
          taken = [mail];
          return { ...decision, mail };
        },
      });
      write(taken);
      return outcome;
    },
    async runDue(until, limit, step) {
      for (;;) {
        const [round, written] = [relay?.round, folder?.round];
        const run = watchRun(way, until, step);
        const steps = await store.runDue(until, limit, run.step).catch((error: unknown) => {
          for (const message of run.started) relay?.drop(message);
          throw error;
        });
        for (const message of run.sent) if (written !== undefined) folder?.writeLater(message, written);
        for (const message of run.started) if (round !== undefined) relay?.start(message, round);
        // Who moves the clock waits for everything that is due, the SMTP server's answers too; what follows from them is due at once.
        if (!clock.advancing || relay === undefined || relay.idle) return steps;
        await relay.settled();
      }
    },
    async reset(settings) {
      relay?.forget();
      const reset = store.reset({ ...settings, ...folder?.whenReset });
      // At once: what is sent from now on is of the new round.
      folder?.empty(reset);
      await reset;
    },
  };
  return new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(watched, name)) return Reflect.get(watched, name);
      const own = Reflect.get(target, name);
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}

interface Run {
  step(message: DueMessage): DueStep;
  /** Those that were sent in it. */
  sent: DueMessage[];
  /** Those that an attempt is to be begun for. */
  started: DueMessage[];
}

function watchRun(
  { relay, simulatorDomain }: Way,
  until: number,
  step: (message: DueMessage) => DueStep,
): Run {
  const run: Run = {
    ...{ sent: [], started: [] },
    step: (message) => {
      const due = relay?.due(message, until);
      if (due?.start) run.started.push(due.step.message);
      if (due !== undefined) return due.step;
      const result = step(message);
      if (message.status === "sent" || result.message.status !== "sent") return result;
      run.sent.push(result.message);
      return relay === undefined ? result : { ...result, message: atOnce(result.message, simulatorDomain) };
    },
  };
  return run;
}

/** The server's answer, and not the usual delay, decides when a message that leaves is delivered: it leaves at once. */
function atOnce<Sent extends DueMessage>(message: Sent, simulatorDomain: string): Sent {
  const leaves = message.status === "sent" && leaving(message, simulatorDomain).length > 0;
  return leaves ? { ...message, dueAt: message.sentAt } : message;
}
