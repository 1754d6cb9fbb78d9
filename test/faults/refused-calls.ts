import { calls, withKey } from "./calls.ts";
import type { Fault, RequirementId } from "./fault.ts";

type Operation = "rescheduleEmail" | "cancelEmail" | "upsertContact" | "unsubscribeContact";

/** Refuses a call for its key as it should, and does what it asks all the same. */
const yetDone = (breaks: RequirementId, title: string, status: number, operation: Operation): Fault => ({
  breaks,
  title,
  between:
    ({ bearer }) =>
    async (request, next) => {
      const answer = await next(request);
      if (calls(request, operation) && answer.status === status) await next(withKey(request, bearer("full")));
      return answer;
    },
});

const words: Record<Operation, string> = {
  rescheduleEmail: "a change of time",
  cancelEmail: "a cancellation",
  upsertContact: "a new contact",
  unsubscribeContact: "an unsubscribe",
};

/** Calls that are refused for their key and made. */
export const refusedCallsFaults: Fault[] = (Object.keys(words) as Operation[]).flatMap((operation) => [
  yetDone("AUTH-12", `${words[operation]} without a key is refused, and yet made`, 401, operation),
  yetDone("AUTH-14", `${words[operation]} with a revoked key is refused, and yet made`, 401, operation),
  yetDone("AUTH-15", `${words[operation]} without the ability is refused, and yet made`, 403, operation),
]);
