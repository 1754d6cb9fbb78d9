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

/** Leaves everything. */
export const isFromAll = (request: MutantRequest): boolean =>
  isUnsubscribe(request) && !("list_id" in objectOf(request.body));
/** Leaves one list. */
export const isFromOne = (request: MutantRequest): boolean =>
  isUnsubscribe(request) && "list_id" in objectOf(request.body);
/** A membership as if nobody had left. */
export const back = (one: Json): Json => ({ ...one, status: "subscribed", unsubscribed_at: null });

/** What the record of a contact shows of its memberships, changed. */
export const changed =
  (change: (one: Json, index: number, request: MutantRequest) => Json) =>
  (record: Json, request: MutantRequest): Json => ({
    ...record,
    lists: membershipsOf({ body: record }).map((one, index) => change(one, index, request)),
  });

/** The addresses of contacts that left everything change what is answered about them from then on. */
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

/** The record of a contact with all its memberships changed. */
export function changedOnly(change: (one: Json) => Json): (record: Json) => Json {
  return (record) => ({ ...record, lists: membershipsOf({ body: record }).map(change) });
}
