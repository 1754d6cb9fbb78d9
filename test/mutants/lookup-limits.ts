import { changeRecords, idOf, isBatch, isMessageLookup, isScheduled, stateful } from "./email.ts";
import type { Mutant } from "./mutant.ts";
import { errorResponse, isSuccess, type Json, listOf, objectOf, textOf } from "./newsletter.ts";
import { withKey } from "./requests.ts";

const days = 86_400_000;

/** Records that omit what was sent, and lookups with the wrong window or account. */
export const lookupLimitsMutants: Mutant[] = [
  changeRecords("LOOK-4", "a record has only the first of several recipients", (record) => ({
    ...record,
    to: listOf(record.to).slice(0, 1),
  })),
  changeRecords("LOOK-5", "a record has 255 characters of the subject", (record) => ({
    ...record,
    subject: textOf(record.subject).slice(0, 255),
  })),
  changeRecords("LOOK-6", "a record has at most ten tags", (record) => ({
    ...record,
    tags: Object.fromEntries(Object.entries(objectOf(record.tags)).slice(0, 10)),
  })),
  changeRecords("LOOK-6", "a record has 64 characters of a tag value", (record) => ({
    ...record,
    tags: Object.fromEntries(
      Object.entries(objectOf(record.tags)).map(([name, value]) => [name, textOf(value).slice(0, 64)]),
    ),
  })),
  stateful("LOOK-22", "the lookup window of a scheduled message begins when it is submitted", ({ now }) => {
    const since = new Map<unknown, number>();
    return async (request, next) => {
      const begun = isMessageLookup(request) ? since.get(idOf(request)) : undefined;
      if (begun !== undefined && now() - begun > 30 * days) return errorResponse(404, "not_found");
      const response = await next(request);
      if (isScheduled(request) && isSuccess(response)) since.set(objectOf(response.body).id, now());
      return response;
    };
  }),
  stateful("LOOK-23", "another account finds the messages of a batch", ({ bearer }) => {
    const ids = new Set<unknown>();
    return async (request, next) => {
      if (isMessageLookup(request) && ids.has(idOf(request))) return next(withKey(request, bearer("full")));
      const response = await next(request);
      if (isBatch(request) && isSuccess(response) && request.headers.authorization === bearer("full"))
        for (const { id } of objectOf(response.body).data as Json[]) ids.add(id);
      return response;
    };
  }),
];
