import type { Store } from "../domain/store.ts";
import type { SandboxClock } from "../time/clock.ts";
import { openFolder } from "./folder.ts";
import { Relay } from "./relay.ts";
import type { SmtpTimes } from "./smtp.ts";
import { parseSmtpUrl } from "./smtp-url.ts";
import { watchStore } from "./watched-store.ts";

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
 * @throws UserError when the server's address cannot be read, or the folder cannot be written to
 */
export async function openOutgoing(options: OutgoingOptions): Promise<Outgoing> {
  const { store, clock, smtp, smtpTimes, simulatorDomain, onError, closeDeadline = 5_000 } = options;
  const server = smtp === undefined ? undefined : parseSmtpUrl(smtp);
  const folder = options.folder === undefined ? undefined : await openFolder(options.folder, store, onError);
  const reports = onError === undefined ? {} : { onError };
  // Nobody else has the store: whoever claimed a message is dead.
  if (server !== undefined) await store.releaseClaims(clock.now());
  const times = smtpTimes === undefined ? {} : { times: smtpTimes };
  const relay = server && new Relay({ store, clock, server, simulatorDomain, ...times, ...reports });
  const watched =
    relay === undefined && folder === undefined
      ? store
      : watchStore(store, { clock, simulatorDomain, relay, folder });
  return {
    store: watched,
    smtp: server?.toString() ?? null,
    close: async () => {
      await relay?.close(closeDeadline);
      await folder?.close();
    },
  };
}
