import { failureView } from "../control/failure-view.ts";
import { type FailureInput, failureOf, requestsOf } from "../control/operations/failure-input.ts";
import type { FailureEntry, FailureMatch } from "../domain/failures.ts";
import type { ControlApi } from "./control-api.ts";
import { isNotFound } from "./control-api.ts";
import type { RemoteFailures } from "./types.ts";

const path = "/sandbox/failures";

/** A failure as the control API returns it. */
type FailureView = FailureInput & { id: string; failed: number };

export const remoteFailures = (api: ControlApi): RemoteFailures => ({
  async add(failure, requests = 1, match) {
    const {
      id: _,
      failed: __,
      ...body
    } = failureView({ id: "", failure, requests, ...(match && { match }) });
    return ((await api.post(path, body)) as { id: string }).id;
  },
  async pending() {
    return ((await api.get(path)) as { failures: FailureView[] }).failures.map(entryOf);
  },
  async remove(id) {
    try {
      await api.delete(`${path}/${encodeURIComponent(id)}`);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  },
  clear: async () => void (await api.delete(path)),
});

function entryOf(view: FailureView): FailureEntry {
  const { id, failed: hits, method, path, key, share } = view;
  const match: FailureMatch = {
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
    ...(key !== undefined && { key }),
    ...(share !== undefined && { share }),
  };
  const hasMatch = Object.keys(match).length > 0;
  return { id, failure: failureOf(view), requests: requestsOf(view), ...(hasMatch && { match }), hits };
}
