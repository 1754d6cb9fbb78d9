import { type Fault, instead } from "./fault.ts";
import { addressIn, inPosts, isGood, isPost, refusal } from "./newsletter.ts";

/** What a post is answered with. */
export const contactsFaults: Fault[] = [
  inPosts("CONT-1", "adding a contact is answered 200", (answer) => ({ ...answer, status: 200 })),
  inPosts("CONT-1", "adding a contact is answered 202", (answer) =>
    answer.status === 201 ? { ...answer, status: 202 } : undefined,
  ),
  inPosts("CONT-1", "adding a contact to a list with double opt-in is answered 200", (answer, { status }) =>
    answer.status === 201 && status === "pending" ? { ...answer, status: 200 } : undefined,
  ),
  {
    breaks: "CONT-1",
    title: "adding a contact of another list is answered 200",
    between: () => {
      const known = new Set<string>();
      return async (request, next) => {
        const answer = await next(request);
        if (!isPost(request) || !isGood(answer)) return answer;
        const isKnown = known.has(addressIn(request));
        known.add(addressIn(request));
        return isKnown ? { ...answer, status: 200 } : answer;
      };
    },
  },
  inPosts("CONT-2", "updating a contact is answered 201", (answer) => ({ ...answer, status: 201 })),
  inPosts("CONT-2", "updating a pending contact is answered 201", (answer, { status }) =>
    status === "pending" ? { ...answer, status: 201 } : undefined,
  ),
  inPosts("CONT-2", "updating a contact that left is answered 201", (answer, { status }) =>
    status === "unsubscribed" ? { ...answer, status: 201 } : undefined,
  ),
  instead("CONT-2", "posting an address again is refused with 409", (request, next) =>
    isPost(request)
      ? next(request).then((answer) => (answer.status === 200 ? refusal(409, "conflict") : answer))
      : undefined,
  ),
  inPosts("CONT-3", "a post is answered with the record of the contact", (answer, membership) => ({
    ...answer,
    body: { email: membership.email, marketing_blocked: false, lists: [membership] },
  })),
  inPosts("CONT-3", "an update is answered with nothing but ok", (answer) =>
    answer.status === 200 ? { ...answer, body: { ok: true } } : undefined,
  ),
  inPosts("CONT-3", "a post is answered with the membership under data", (answer, membership) => ({
    ...answer,
    body: { data: membership },
  })),
  inPosts("CONT-4", "a contact added through the API need not confirm", (answer, membership) =>
    membership.status === "pending"
      ? { ...answer, body: { ...membership, status: "subscribed", subscribed_at: new Date().toISOString() } }
      : undefined,
  ),
];
