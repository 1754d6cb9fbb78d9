import type { SandboxClock } from "../clock.ts";
import type { Message } from "../domain/records.ts";
import type { Acceptance, DueMessage, DueStep, Store } from "../store/store.ts";
import { type Folder, openFolder } from "./folder.ts";
import { Relay } from "./relay.ts";
import { leaving } from "./relay-state.ts";
import type { SmtpTimes } from "./smtp.ts";
import { parseSmtpUrl } from "./smtp-url.ts";

export interface OutgoingOptions {
  store: Store;
  clock: Pick<SandboxClock, "now" | "advancing" | "reach">;
  simulatorDomain: string;
  /** The SMTP server that mail is handed over to: `smtp://host:port`. Nothing leaves when not given. */
  smtp?: string;
  /** How long the SMTP server may take. */
  smtpTimes?: SmtpTimes;
  /** How long the end waits for the SMTP server, in milliseconds. */
  closeDeadline?: number;
  /** A folder that each message is written to as `<id>.eml` once it is sent. */
  folder?: string;
  onError?: (error: unknown) => void;
}

/** Where mail goes to once it is sent. */
export interface Outgoing {
  /** The store, in front of which mail is watched for going out. */
  store: Store;
  /** Where mail is handed over to, without the password; null when nothing leaves. */
  smtp: string | null;
  /** Waits for what is under way, for a few seconds at most. The store has to be open still. */
  close(): Promise<void>;
}

/**
 * Lets mail out: to an SMTP server, into a folder, or, when neither is asked for, nowhere.
 *
 * @throws Mistake when the server's address cannot be read, or the folder cannot be written to
 */
export async function openOutgoing(options: OutgoingOptions): Promise<Outgoing> {
  const { store, clock, smtp, smtpTimes, simulatorDomain, onError, closeDeadline = 5_000 } = options;
  const server = smtp === undefined ? undefined : parseSmtpUrl(smtp);
  const folder = options.folder === undefined ? undefined : await openFolder(options.folder, store, onError);
  const reports = onError === undefined ? {} : { onError };
  const times = smtpTimes === undefined ? {} : { times: smtpTimes };
  const relay = server && new Relay({ store, clock, server, simulatorDomain, ...times, ...reports });
  const watched = relay === undefined && folder === undefined ? store : watch(options, relay, folder);
  return {
    store: watched,
    smtp: server?.toString() ?? null,
    close: async () => {
      await relay?.close(closeDeadline);
      await folder?.close();
    },
  };
}

/** The store, but for the three calls that send messages or take them away. */
function watch(
  { store, clock, simulatorDomain }: OutgoingOptions,
  relay: Relay | undefined,
  folder: Folder | undefined,
): Store {
  const watched: Pick<Store, "accept" | "runDue" | "reset"> = {
    async accept(acceptance) {
      let sent: Message[] = [];
      const outcome = await store.accept({
        ...acceptance,
        decide: (suppressed) => {
          const decision = acceptance.decide(suppressed);
          if ("refusal" in decision) return decision;
          const messages =
            relay === undefined
              ? decision.messages
              : decision.messages.map((message) => atOnce(message, simulatorDomain));
          sent = messages.filter(({ status }) => status === "sent");
          return { ...decision, messages };
        },
      } satisfies Acceptance);
      for (const message of "answer" in outcome ? sent : []) folder?.write(message);
      return outcome;
    },
    async runDue(until, limit, step) {
      for (;;) {
        const round = relay?.round;
        const run = watchRun(relay, simulatorDomain, until, step);
        const steps = await store.runDue(until, limit, run.step).catch((error: unknown) => {
          for (const message of run.started) relay?.drop(message);
          throw error;
        });
        for (const message of run.sent) folder?.writeLater(message);
        for (const message of run.started) if (round !== undefined) relay?.start(message, round);
        // Who moves the clock waits for everything that is due, the SMTP server's answers too; what follows from them is due at once.
        if (!clock.advancing || relay === undefined || relay.idle) return steps;
        await relay.settled();
      }
    },
    async reset() {
      relay?.forget();
      await store.reset();
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
  relay: Relay | undefined,
  simulatorDomain: string,
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
