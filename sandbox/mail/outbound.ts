import type { Outbound } from "../domain/due.ts";
import type { Store } from "../domain/store.ts";
import { openFolder } from "./folder.ts";
import { createRelay, parseSmtpUrl, type RelayOptions } from "./smtp.ts";

export interface OutboundOptions extends Omit<RelayOptions, "store" | "server"> {
  store: Store;
  /** The SMTP server that mail is sent to: `smtp://host:port`. */
  smtp?: string | undefined;
  /** The longest that `close` waits for messages in the queue, in milliseconds. Default: 5000. */
  closeDeadline?: number;
  /** A folder that each message is written to as `<id>.eml` once it is sent. */
  folder?: string | undefined;
}

/**
 * Opens the way out for mail: to an SMTP server, into a folder, or both.
 * @throws UserError when the URL of the server is invalid or the folder is not writable
 */
export async function openOutbound(options: OutboundOptions): Promise<Outbound> {
  const { store, smtp, onError, closeDeadline = 5_000 } = options;
  const server = smtp === undefined ? undefined : parseSmtpUrl(smtp);
  const folder = options.folder === undefined ? undefined : await openFolder(options.folder, store, onError);
  const relay = server && createRelay({ ...options, server });
  return {
    send(messages) {
      for (const message of messages) {
        if (message.sentAt === null) continue;
        folder?.write(message);
        relay?.send(message);
      }
    },
    settled: async () => relay?.settled(),
    async reset(resetStore) {
      const reset = (): Promise<void> => {
        relay?.forget();
        return resetStore();
      };
      await (folder === undefined ? reset() : folder.empty(reset));
    },
    smtp: server?.toString() ?? null,
    close: async () => {
      await relay?.close(closeDeadline);
      await folder?.close();
    },
  };
}
