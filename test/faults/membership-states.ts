import type { Between, Fault } from "./fault.ts";
import {
  addressIn,
  inMemberships,
  inPosts,
  inRecords,
  isGood,
  isLookUp,
  isPost,
  type Json,
  membershipsIn,
  objectOf,
} from "./newsletter.ts";

/** Posts whose answers, and everything shown of them, have the details of the first one. */
const keepsFirst = (name: string): Between => {
  const first = new Map<string, unknown>();
  return async (request, next) => {
    const answer = await next(request);
    if (!isGood(answer) || !request.path.startsWith("/api/v1/newsletter/contacts")) return answer;
    const address = addressIn(request);
    const body = objectOf(answer.body);
    if (isPost(request) && !first.has(address)) first.set(address, body[name]);
    if (!first.has(address)) return answer;
    const old = (one: Json): Json => ({ ...one, [name]: first.get(address) });
    return {
      ...answer,
      body: isPost(request) ? old(body) : { ...body, lists: membershipsIn(answer).map(old) },
    };
  };
};

/** The states of a membership. */
export const membershipStatesFaults: Fault[] = [
  inMemberships("MEMB-11", "a contact of a list with double opt-in is subscribed at once", (one) =>
    one.status === "pending" ? { ...one, status: "subscribed" } : one,
  ),
  inRecords(
    "MEMB-11",
    "a contact that has yet to confirm is shown as subscribed when it is looked up",
    (record) => ({
      ...record,
      lists: membershipsIn({ body: record }).map((one) =>
        one.status === "pending" ? { ...one, status: "subscribed" } : one,
      ),
    }),
  ),
  inMemberships("MEMB-13", "a contact of a list without double opt-in is pending", (one) =>
    one.status === "subscribed" && one.list_id !== 1 ? { ...one, status: "pending" } : one,
  ),
  inPosts("MEMB-13", "a contact of a list without double opt-in is pending in the answer", (answer, one) =>
    one.status === "subscribed" && one.list_id !== 1
      ? { ...answer, body: { ...one, status: "pending" } }
      : undefined,
  ),
  inMemberships("MEMB-15", "a contact that confirmed is still pending", (one) =>
    one.status === "subscribed" && one.list_id === 1 ? { ...one, status: "pending" } : one,
  ),
  inMemberships("MEMB-15", "a contact that confirmed has no subscribed_at", (one) =>
    one.status === "subscribed" && one.list_id === 1 ? { ...one, subscribed_at: null } : one,
  ),
  ...["first_name", "last_name", "fields"].map(
    (name): Fault => ({
      breaks: "MEMB-16",
      title: `an update leaves ${name} as it was`,
      between: () => keepsFirst(name),
    }),
  ),
  {
    breaks: "MEMB-16",
    title: "an update leaves the tags as they were",
    between: () => keepsFirst("tags"),
  },
  inPosts("MEMB-16", "a second post subscribes a contact that has yet to confirm", (answer, one) =>
    answer.status === 200 && one.status === "pending"
      ? { ...answer, body: { ...one, status: "subscribed" } }
      : undefined,
  ),
  inPosts("MEMB-16", "an update makes a subscriber confirm again", (answer, one) =>
    answer.status === 200 && one.status === "subscribed"
      ? { ...answer, body: { ...one, status: "pending" } }
      : undefined,
  ),
  inPosts("MEMB-16", "a post wakes a contact that was rested", (answer, one) =>
    one.status === "cleaned" ? { ...answer, body: { ...one, status: "subscribed" } } : undefined,
  ),
  inPosts("MEMB-17", "a post puts back who left", (answer, one) =>
    one.status === "unsubscribed"
      ? { ...answer, body: { ...one, status: "subscribed", unsubscribed_at: null } }
      : undefined,
  ),
  inPosts("MEMB-17", "a post asks who left a list with double opt-in to confirm again", (answer, one) =>
    one.status === "unsubscribed" && one.list_id === 1
      ? { ...answer, body: { ...one, status: "pending" } }
      : undefined,
  ),
  inPosts("MEMB-17", "who left everything is to confirm on a list with double opt-in", (answer, one) =>
    answer.status === 201 && one.status === "unsubscribed" && one.list_id === 1
      ? { ...answer, body: { ...one, status: "pending" } }
      : undefined,
  ),
  inPosts("MEMB-17", "a post puts back who complained", (answer, one) =>
    one.status === "complained" ? { ...answer, body: { ...one, status: "subscribed" } } : undefined,
  ),
  inPosts("MEMB-17", "who left everything is subscribed on a further list", (answer, one) =>
    answer.status === 201 && one.status === "unsubscribed"
      ? { ...answer, body: { ...one, status: "subscribed" } }
      : undefined,
  ),
  inPosts("MEMB-17", "who left everything is to confirm on a further list", (answer, one) =>
    answer.status === 201 && one.status === "unsubscribed"
      ? { ...answer, body: { ...one, status: "pending" } }
      : undefined,
  ),
  {
    breaks: "MEMB-17",
    title: "a post puts back who left, which only a look-up shows",
    between: () => {
      const back = new Set<string>();
      return async (request, next) => {
        const answer = await next(request);
        if (!isGood(answer)) return answer;
        if (isPost(request) && objectOf(answer.body).status === "unsubscribed") back.add(addressIn(request));
        if (!isLookUp(request) || !back.has(addressIn(request))) return answer;
        const lists = membershipsIn(answer).map((one) => ({ ...one, status: "subscribed" }));
        return { ...answer, body: { ...objectOf(answer.body), lists } };
      };
    },
  },
  inMemberships("MEMB-18", "a contact that was rested is shown as subscribed", (one) =>
    one.status === "cleaned" ? { ...one, status: "subscribed" } : one,
  ),
];
