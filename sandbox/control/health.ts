import type { Store } from "../domain/store.ts";
import { problemOf } from "../store/check.ts";
import { json, retrySoon, type SiteResponse } from "./response.ts";

/** Whether the sandbox and its store respond. */
export async function health({ store }: { store: Store }): Promise<SiteResponse> {
  const problem = await problemOf(store);
  return problem === undefined
    ? json({ status: "ok" })
    : json({ status: "failing", problem }, 503, retrySoon);
}
