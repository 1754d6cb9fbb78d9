import { asAnother, idOf, inRecords, isBatch, isLook, isScheduled, remembering } from "./email.ts";
import type { Fault } from "./fault.ts";
import { isGood, type Json, listOf, objectOf, refusal, textOf } from "./newsletter.ts";

const days = 86_400_000;

/** Records that keep less than was sent, and look-ups that look at the wrong time or account. */
export const lookupLimitsFaults: Fault[] = [
  inRecords("LOOK-4", "a record has the first of several recipients only", (record) => ({
    ...record,
    to: listOf(record.to).slice(0, 1),
  })),
  inRecords("LOOK-5", "a record has 255 characters of a subject", (record) => ({
    ...record,
    subject: textOf(record.subject).slice(0, 255),
  })),
  inRecords("LOOK-6", "a record has ten tags at most", (record) => ({
    ...record,
    tags: Object.fromEntries(Object.entries(objectOf(record.tags)).slice(0, 10)),
  })),
  inRecords("LOOK-6", "a record has 64 characters of the value of a tag", (record) => ({
    ...record,
    tags: Object.fromEntries(
      Object.entries(objectOf(record.tags)).map(([name, value]) => [name, textOf(value).slice(0, 64)]),
    ),
  })),
  remembering("LOOK-22", "the time to look a scheduled message up begins when it is handed in", ({ now }) => {
    const since = new Map<unknown, number>();
    return async (request, next) => {
      const begun = isLook(request) ? since.get(idOf(request)) : undefined;
      if (begun !== undefined && now() - begun > 30 * days) return refusal(404, "not_found");
      const answer = await next(request);
      if (isScheduled(request) && isGood(answer)) since.set(objectOf(answer.body).id, now());
      return answer;
    };
  }),
  remembering("LOOK-23", "another account finds the messages of a batch", ({ bearer }) => {
    const ids = new Set<unknown>();
    return async (request, next) => {
      if (isLook(request) && ids.has(idOf(request))) return asAnother(request, next, bearer("full"));
      const answer = await next(request);
      if (isBatch(request) && isGood(answer) && request.headers.authorization === bearer("full"))
        for (const { id } of objectOf(answer.body).data as Json[]) ids.add(id);
      return answer;
    };
  }),
];
