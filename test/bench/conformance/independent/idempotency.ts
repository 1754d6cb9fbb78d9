import { isBatch, isSend } from "../../../mutants/email.ts";
import { keyOf } from "../../../mutants/fault-support.ts";
import { remembers, takes } from "../../../mutants/mutant.ts";
import { isSuccess, isUpsert } from "../../../mutants/newsletter.ts";
import { withHeaders } from "../../../mutants/requests.ts";
import { countsOnly, isReplay, scopedKey } from "../../../mutants/same-key.ts";
import { type IndependentFault, madeUp } from "./fault.ts";

/** Keys and what was sent with them are compared in another way. */
export const idempotencyFaults: IndependentFault[] = madeUp(
  takes("IDEM-2", "the idempotency keys of batches are compared without case", (request) => {
    const key = keyOf(request);
    return isBatch(request) && key !== undefined
      ? { ...request, headers: { ...request.headers, "idempotency-key": key.toLowerCase() } }
      : undefined;
  }),
  countsOnly("reply_to of a send is not compared", isSend, ({ reply_to: _, ...rest }) => rest),
  countsOnly("consent of a contact is not compared", isUpsert, ({ consent: _, ...rest }) => rest),
  remembers("HEAD-2", "the replay of a batch has the request id of the original response", () => {
    const ids = new Map<string, string | undefined>();
    return (response, request) => {
      const key = isBatch(request) ? scopedKey(request) : undefined;
      if (key === undefined || !isSuccess(response)) return undefined;
      if (isReplay(response)) return withHeaders(response, { "x-service-request-id": ids.get(key) });
      ids.set(key, response.headers["x-service-request-id"]);
      return undefined;
    };
  }),
);
