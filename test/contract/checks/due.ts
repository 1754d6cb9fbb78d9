import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { untilGone } from "./journeys.ts";
import { good, idIn, later, message } from "./kit.ts";

/** Messages whose time comes a few seconds after they are handed in: as they are, put off to another time, canceled. */
export interface DueMessages {
  /** When their time comes, in milliseconds since 1970. */
  at: number;
  plain: { id: string; looks: Exchange[] };
  putOff: { id: string; look: Exchange };
  canceled: { id: string; look: Exchange };
}

/** How far ahead their time is, in seconds: enough to be in the future on a server whose clock is not quite ours. */
const soon = 5;

/** Waits until a message has gone out whose time has come; what was put off or canceled is then looked up. */
export const dueMessages = (tester: Tester): Promise<DueMessages> =>
  tester.once("messages that are due in some seconds", async (own) => {
    const scheduled_at = later(own, soon);
    const handedIn = async (): Promise<string> =>
      idIn(await good(own, "sendEmail", { body: message(own, { scheduled_at }) }));
    const [first, second, id] = [await handedIn(), await handedIn(), await handedIn()];
    await good(own, "rescheduleEmail", { part: first, body: { scheduled_at: later(own, 3600) } });
    await good(own, "cancelEmail", { part: second });
    // The message that was handed in last goes out last, if anything goes by that.
    const looks = await untilGone(own, id);
    const look = (part: string): Promise<Exchange> => good(own, "getEmail", { part });
    return {
      at: Date.parse(scheduled_at),
      plain: { id, looks },
      putOff: { id: first, look: await look(first) },
      canceled: { id: second, look: await look(second) },
    };
  });
