import type { DueMessage, DueStep, Store } from "../domain/store.ts";
import type { Relayed, RelayState } from "./relay-state.ts";

/** The message is not the attempt's any more: a reset, or another attempt, took it away. */
export class Gone extends Error {}

/** A way to change the message of an attempt, for as long as it is that attempt's. It throws `Gone` when it is not. */
export type Change = (change: (message: Relayed) => DueStep) => Promise<void>;

/**
 * The way to change a message that an attempt was begun for.
 *
 * @param relay the state that the attempt was begun with
 * @param current whether the attempt still counts
 */
export function changeClaimed(
  store: Pick<Store, "change">,
  { accountId, id }: DueMessage,
  relay: RelayState,
  current: () => boolean,
): Change {
  return async (change) => {
    let found = false;
    await store.change(accountId, id, ({ content: _, ...now }) => {
      found = current() && stillTried(now, relay);
      return found ? change(now) : undefined;
    });
    if (!found) throw new Gone();
  };
}

function stillTried(message: Relayed, relay: RelayState): boolean {
  return message.status === "sent" && message.relay?.attempts === relay.attempts;
}
