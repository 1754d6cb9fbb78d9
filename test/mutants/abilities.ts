import type { Mutant } from "./mutant.ts";
import { errorResponse } from "./newsletter.ts";
import { isRequestTo, mistakes, mistakesKey, rejectsKey } from "./requests.ts";

const forbidden = () => errorResponse(403, "forbidden");
const noPlan = () => errorResponse(402, "no_plan");

export const ofAbilities: Mutant[] = [
  rejectsKey(
    "AUTH-8",
    "looking up a message requires more than email:send",
    { from: "sendOnly", on: ["getEmail"] },
    forbidden,
  ),
  rejectsKey(
    "AUTH-8",
    "canceling requires more than email:send",
    { from: "sendOnly", on: ["cancelEmail"] },
    forbidden,
  ),
  mistakesKey("AUTH-8", "a newsletter:read key can look up messages", {
    from: "readOnly",
    to: "full",
    on: ["getEmail"],
  }),
  mistakesKey("AUTH-8", "a newsletter:manage key can send batches", {
    from: "manageOnly",
    to: "full",
    on: ["sendBatch"],
  }),
  mistakesKey("AUTH-8", "a newsletter:read key can cancel messages", {
    from: "readOnly",
    to: "full",
    on: ["cancelEmail"],
  }),
  rejectsKey(
    "AUTH-9",
    "reading custom fields requires more than newsletter:read",
    { from: "readOnly", on: ["listCustomFields"] },
    forbidden,
  ),
  rejectsKey(
    "AUTH-9",
    "reading contacts requires more than newsletter:read",
    { from: "readOnly", on: ["getContact"] },
    forbidden,
  ),
  mistakesKey("AUTH-9", "newsletter:manage also allows reading contacts", {
    from: "manageOnly",
    to: "full",
    on: ["getContact"],
  }),
  mistakesKey("AUTH-9", "lists require no ability", {
    from: "sendOnly",
    to: "full",
    on: ["listNewsletterLists"],
  }),
  rejectsKey(
    "AUTH-10",
    "unsubscribing requires more than newsletter:manage",
    { from: "manageOnly", on: ["unsubscribeContact"] },
    forbidden,
  ),
  rejectsKey(
    "AUTH-10",
    "adding contacts requires more than newsletter:manage",
    { from: "manageOnly", on: ["upsertContact"] },
    forbidden,
  ),
  mistakesKey("AUTH-10", "newsletter:read also allows adding contacts", {
    from: "readOnly",
    to: "full",
    on: ["upsertContact"],
  }),
  mistakesKey("AUTH-10", "email:send also allows unsubscribing", {
    from: "sendOnly",
    to: "full",
    on: ["unsubscribeContact"],
  }),
  mistakes(
    "AUTH-15",
    "a send without the ability returns 401 unauthorized",
    "403 forbidden",
    "401 unauthorized",
    (request) => isRequestTo(request, "sendEmail"),
  ),
  mistakes(
    "AUTH-15",
    "a lookup without the ability returns 404 not_found",
    "403 forbidden",
    "404 not_found",
    (request) => isRequestTo(request, "getEmail", "getContact"),
  ),
  mistakes(
    "AUTH-15",
    "a batch without the ability returns 403 send_rejected",
    "403 forbidden",
    "403 send_rejected",
    (request) => isRequestTo(request, "sendBatch"),
  ),
];

export const ofProducts: Mutant[] = [
  mistakes(
    "AUTH-16",
    "email requests without a plan return 403 forbidden",
    "402 no_plan",
    "403 forbidden",
    (request) => isRequestTo(request, "email"),
  ),
  ...(["upsertContact", "getContact", "unsubscribeContact"] as const).map((operation) =>
    mistakes(
      "AUTH-20",
      `${operation} without the newsletter returns 404 not_found`,
      "402 no_plan",
      "404 not_found",
      (request) => isRequestTo(request, operation),
    ),
  ),
  mistakesKey("AUTH-18", "an account without a plan can send", {
    from: "noPlan",
    to: "full",
    on: ["sendEmail"],
  }),
  mistakesKey("AUTH-18", "an account without a plan can send batches", {
    from: "noPlan",
    to: "full",
    on: ["sendBatch"],
  }),
  mistakesKey("AUTH-18", "an account without a plan can cancel", {
    from: "noPlan",
    to: "full",
    on: ["cancelEmail"],
  }),
  mistakesKey("AUTH-20", "an account without the newsletter can read lists", {
    from: "noNewsletter",
    to: "full",
    on: ["listNewsletterLists"],
  }),
  mistakesKey("AUTH-20", "an account without the newsletter can read custom fields", {
    from: "noNewsletter",
    to: "full",
    on: ["listCustomFields"],
  }),
  rejectsKey(
    "AUTH-21",
    "custom fields require an email plan",
    { from: "noPlan", on: ["listCustomFields"] },
    noPlan,
  ),
  rejectsKey(
    "AUTH-21",
    "unsubscribing requires an email plan",
    { from: "noPlan", on: ["unsubscribeContact"] },
    noPlan,
  ),
];
