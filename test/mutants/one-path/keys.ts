import { isCancel, isMessageLookup, isReschedule } from "../email.ts";
import { type Message, withPast } from "../history.ts";
import type { Applies, Mutant, MutantRequest } from "../mutant.ts";
import { errorResponse, isContactLookup, isSuccess, type Json, objectOf } from "../newsletter.ts";
import { withKey } from "../requests.ts";
import { both, isMoved } from "./of-messages.ts";

/** Treats some messages of the first account as those of another one. */
const reachable = (
  title: string,
  applies: Applies,
  which: (message: Message, request: MutantRequest) => boolean,
): Mutant =>
  withPast("AUTH-2", title, async (request, next, { history, context }) => {
    const message = history.messageOf(request);
    const response = await next(request);
    return applies(request) && response.status === 404 && message && which(message, request)
      ? next(withKey(request, context.bearer("full")))
      : response;
  });

const isCanceled = ({ canceled }: Message): boolean => canceled;
const isPending = (message: Message): boolean => !message.canceled;

const ofOtherAccounts: Mutant[] = [
  reachable("another account finds a canceled message", isMessageLookup, isCanceled),
  reachable("another account can reschedule a moved message", isReschedule, both(isMoved, isPending)),
  ...(
    [
      ["canceling", isCancel, "not_cancellable"],
      ["rescheduling", isReschedule, "not_reschedulable"],
    ] as const
  ).map(([what, applies, type]) =>
    withPast(
      "AUTH-2",
      `${what} another account's canceled message returns 409`,
      async (request, next, { history }) => {
        const message = history.messageOf(request);
        const response = await next(request);
        return applies(request) && response.status === 404 && message?.canceled
          ? errorResponse(409, type)
          : response;
      },
    ),
  ),
];

/** Finds contacts of the first account in some states for other accounts. */
const sees = (title: string, which: (record: Json) => boolean): Mutant =>
  withPast("AUTH-2", title, async (request, next, { context }) => {
    const response = await next(request);
    if (!isContactLookup(request) || response.status !== 404) return response;
    const found = await next(withKey(request, context.bearer("full")));
    return isSuccess(found) && which(objectOf(found.body)) ? found : response;
  });

const hasStatus =
  (status: string) =>
  ({ lists }: Json): boolean =>
    JSON.stringify(lists).includes(`"status":"${status}"`);

const ofOtherContacts: Mutant[] = [
  sees("another account finds a pending contact", hasStatus("pending")),
  sees("another account finds a contact that unsubscribed", hasStatus("unsubscribed")),
  sees("another account finds a contact with tags", ({ lists }) => /"tags":\["/.test(JSON.stringify(lists))),
];

/** Keys and accounts that are mistaken only on some paths. */
export const keyPathMutants: Mutant[] = [...ofOtherAccounts, ...ofOtherContacts];
