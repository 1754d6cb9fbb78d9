import type { Fault, FaultRequest } from "./fault.ts";
import {
  addressIn,
  isGood,
  isLeaving,
  isLookUp,
  isPost,
  type Json,
  membershipsIn,
  objectOf,
} from "./newsletter.ts";

/** Leaves everything. */
export const isFromAll = (request: FaultRequest): boolean =>
  isLeaving(request) && !("list_id" in objectOf(request.body));
/** Leaves one list. */
export const isFromOne = (request: FaultRequest): boolean =>
  isLeaving(request) && "list_id" in objectOf(request.body);
/** A membership as if nobody had left. */
export const back = (one: Json): Json => ({ ...one, status: "subscribed", unsubscribed_at: null });

/** What the record of a contact shows of its memberships, changed. */
export const changed =
  (change: (one: Json, index: number, request: FaultRequest) => Json) =>
  (record: Json, request: FaultRequest): Json => ({
    ...record,
    lists: membershipsIn({ body: record }).map((one, index) => change(one, index, request)),
  });

/** The addresses of contacts that left everything change what is answered about them from then on. */
export const afterLeaving = (
  breaks: Fault["breaks"],
  title: string,
  change: (record: Json, posts: number) => Json,
): Fault => ({
  breaks,
  title,
  between: () => {
    const left = new Map<string, number>();
    return async (request, next) => {
      const answer = await next(request);
      if (!isGood(answer) || !request.path.startsWith("/api/v1/newsletter/contacts")) return answer;
      const address = addressIn(request);
      const posts = left.get(address);
      if (isFromAll(request)) left.set(address, 0);
      if (posts !== undefined && isPost(request)) left.set(address, posts + 1);
      if (posts === undefined || !isLookUp(request)) return answer;
      return { ...answer, body: change(objectOf(answer.body), posts) };
    };
  },
});

/** The record of a contact with all its memberships changed. */
export function changedOnly(change: (one: Json) => Json): (record: Json) => Json {
  return (record) => ({ ...record, lists: membershipsIn({ body: record }).map(change) });
}
