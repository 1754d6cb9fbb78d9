import type { Store } from "../../domain/store.ts";
import type { Session } from "./session.ts";

/** How long logged requests may stay in memory, in milliseconds. */
const logDelay = 50;

type Log = Pick<Store, "logRequest" | "loggedRequest" | "loggedRequests">;

/** The log of requests, which are gathered and written with the next commit, or a moment later. */
export function gatheredLog(session: Session): Log & { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  // Every commit writes the gathered requests.
  const write = (): Promise<void> => session.write(({ requestLog }) => requestLog.writeGathered());
  return {
    logRequest(request, generation) {
      if (generation !== session.tables) return;
      session.tables.requestLog.gather(request);
      // Usually the commit of the next request comes first.
      timer ??= setTimeout(() => {
        timer = undefined;
        if (session.tables.requestLog.gathered > 0) write().catch(() => {});
      }, logDelay).unref();
    },
    async loggedRequest(requestId) {
      await write();
      return session.read(({ requestLog }) => requestLog.find(requestId));
    },
    async loggedRequests(query) {
      await write();
      return session.read(({ requestLog }) => requestLog.list(query));
    },
    stop: () => clearTimeout(timer),
  };
}
