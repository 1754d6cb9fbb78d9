import type { Mutant, RequirementId } from "./mutant.ts";
import { isRequestTo, withKey } from "./requests.ts";

type Operation = "rescheduleEmail" | "cancelEmail" | "upsertContact" | "unsubscribeContact";

/** Refuses a call for its key as it should, and does what it asks all the same. */
const yetDone = (
  requirement: RequirementId,
  title: string,
  status: number,
  operation: Operation,
): Mutant => ({
  requirement,
  title,
  intercept:
    ({ bearer }) =>
    async (request, next) => {
      const response = await next(request);
      if (isRequestTo(request, operation) && response.status === status)
        await next(withKey(request, bearer("full")));
      return response;
    },
});

const words: Record<Operation, string> = {
  rescheduleEmail: "a change of time",
  cancelEmail: "a cancellation",
  upsertContact: "a new contact",
  unsubscribeContact: "an unsubscribe",
};

/** Calls that are refused for their key and made. */
export const refusedCallsMutants: Mutant[] = (Object.keys(words) as Operation[]).flatMap((operation) => [
  yetDone("AUTH-12", `${words[operation]} without a key is refused, and yet made`, 401, operation),
  yetDone("AUTH-14", `${words[operation]} with a revoked key is refused, and yet made`, 401, operation),
  yetDone("AUTH-15", `${words[operation]} without the ability is refused, and yet made`, 403, operation),
]);
