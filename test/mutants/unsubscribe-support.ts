import type { Mutant, MutantRequest } from "./mutant.ts";
import {
  emailOf,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  membershipsOf,
  objectOf,
} from "./newsletter.ts";

export const isFromAll = (request: MutantRequest): boolean =>
  isUnsubscribe(request) && !("list_id" in objectOf(request.body));
export const isFromOne = (request: MutantRequest): boolean =>
  isUnsubscribe(request) && "list_id" in objectOf(request.body);
/** The membership before the unsubscribe. */
export const back = (one: Json): Json => ({ ...one, status: "subscribed", unsubscribed_at: null });

/** Changes the memberships in contact records. */
export const changed =
  (change: (one: Json, index: number, request: MutantRequest) => Json) =>
  (record: Json, request: MutantRequest): Json => ({
    ...record,
    lists: membershipsOf({ body: record }).map((one, index) => change(one, index, request)),
  });

/** After contacts unsubscribe from everything, responses about them change. */
export const afterLeaving = (
  requirement: Mutant["requirement"],
  title: string,
  change: (record: Json, posts: number) => Json,
): Mutant => ({
  requirement,
  title,
  intercept: () => {
    const left = new Map<string, number>();
    return async (request, next) => {
      const response = await next(request);
      if (!isSuccess(response) || !request.path.startsWith("/api/v1/newsletter/contacts")) return response;
      const address = emailOf(request);
      const posts = left.get(address);
      if (isFromAll(request)) left.set(address, 0);
      if (posts !== undefined && isUpsert(request)) left.set(address, posts + 1);
      if (posts === undefined || !isContactLookup(request)) return response;
      return { ...response, body: change(objectOf(response.body), posts) };
    };
  },
});

/** The contact record with all memberships changed. */
export function changedOnly(change: (one: Json) => Json): (record: Json) => Json {
  return (record) => ({ ...record, lists: membershipsOf({ body: record }).map(change) });
}
