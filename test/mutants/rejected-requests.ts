import type { Mutant, RequirementId } from "./mutant.ts";
import { isRequestTo, withKey } from "./requests.ts";

type Operation = "rescheduleEmail" | "cancelEmail" | "upsertContact" | "unsubscribeContact";

/** Rejects a request because of its key, but performs it. */
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
  rescheduleEmail: "a reschedule",
  cancelEmail: "a cancel",
  upsertContact: "a new contact",
  unsubscribeContact: "an unsubscribe",
};

/** Requests that are rejected because of their key, but performed. */
export const rejectedRequestMutants: Mutant[] = (Object.keys(words) as Operation[]).flatMap((operation) => [
  yetDone("AUTH-12", `${words[operation]} without a key is rejected, but performed`, 401, operation),
  yetDone("AUTH-14", `${words[operation]} with a revoked key is rejected, but performed`, 401, operation),
  yetDone("AUTH-15", `${words[operation]} without the ability is rejected, but performed`, 403, operation),
]);
