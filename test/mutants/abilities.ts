import type { Mutant } from "./mutant.ts";
import { errorResponse } from "./newsletter.ts";
import { isRequestTo, mistakes, mistakesKey, rejectsKey } from "./requests.ts";

const forbidden = () => errorResponse(403, "forbidden");
const noPlan = () => errorResponse(402, "no_plan");

const ofAbilities: Mutant[] = [
  rejectsKey(
    "AUTH-8",
    "looking a message up needs more than email:send",
    { from: "sendOnly", on: ["getEmail"] },
    forbidden,
  ),
  rejectsKey(
    "AUTH-8",
    "canceling needs more than email:send",
    { from: "sendOnly", on: ["cancelEmail"] },
    forbidden,
  ),
  mistakesKey("AUTH-8", "a key for reading looks messages up", {
    from: "readOnly",
    to: "full",
    on: ["getEmail"],
  }),
  mistakesKey("AUTH-8", "a key for contacts sends batches", {
    from: "manageOnly",
    to: "full",
    on: ["sendBatch"],
  }),
  mistakesKey("AUTH-8", "a key for reading cancels messages", {
    from: "readOnly",
    to: "full",
    on: ["cancelEmail"],
  }),
  rejectsKey(
    "AUTH-9",
    "reading custom fields needs more than newsletter:read",
    { from: "readOnly", on: ["listCustomFields"] },
    forbidden,
  ),
  rejectsKey(
    "AUTH-9",
    "reading contacts needs more than newsletter:read",
    { from: "readOnly", on: ["getContact"] },
    forbidden,
  ),
  mistakesKey("AUTH-9", "who may change contacts may read them", {
    from: "manageOnly",
    to: "full",
    on: ["getContact"],
  }),
  mistakesKey("AUTH-9", "lists need no ability", {
    from: "sendOnly",
    to: "full",
    on: ["listNewsletterLists"],
  }),
  rejectsKey(
    "AUTH-10",
    "unsubscribing needs more than newsletter:manage",
    { from: "manageOnly", on: ["unsubscribeContact"] },
    forbidden,
  ),
  rejectsKey(
    "AUTH-10",
    "adding contacts needs more than newsletter:manage",
    { from: "manageOnly", on: ["upsertContact"] },
    forbidden,
  ),
  mistakesKey("AUTH-10", "who may read contacts may add them", {
    from: "readOnly",
    to: "full",
    on: ["upsertContact"],
  }),
  mistakesKey("AUTH-10", "who may send may unsubscribe", {
    from: "sendOnly",
    to: "full",
    on: ["unsubscribeContact"],
  }),
  mistakes(
    "AUTH-15",
    "a send without the ability is answered 401 unauthorized",
    "403 forbidden",
    "401 unauthorized",
    (request) => isRequestTo(request, "sendEmail"),
  ),
  mistakes(
    "AUTH-15",
    "a look-up without the ability is answered 404 not_found",
    "403 forbidden",
    "404 not_found",
    (request) => isRequestTo(request, "getEmail", "getContact"),
  ),
  mistakes(
    "AUTH-15",
    "a newsletter call without the ability is answered 402 no_plan",
    "403 forbidden",
    "402 no_plan",
    (request) => isRequestTo(request, "newsletter"),
  ),
  mistakes(
    "AUTH-15",
    "a batch without the ability is answered 403 send_rejected",
    "403 forbidden",
    "403 send_rejected",
    (request) => isRequestTo(request, "sendBatch"),
  ),
];

const ofProducts: Mutant[] = [
  mistakes(
    "AUTH-16",
    "e-mail calls without a plan are answered 403 forbidden",
    "402 no_plan",
    "403 forbidden",
    (request) => isRequestTo(request, "email"),
  ),
  mistakes(
    "AUTH-16",
    "newsletter calls without the newsletter are answered 404 not_found",
    "402 no_plan",
    "404 not_found",
    (request) => isRequestTo(request, "newsletter"),
  ),
  mistakes(
    "AUTH-16",
    "a missing plan is an error with a type of its own",
    "402 no_plan",
    "402 payment_required",
    (request) => isRequestTo(request, "email"),
  ),
  mistakesKey("AUTH-18", "an account without a plan sends", {
    from: "noPlan",
    to: "full",
    on: ["sendEmail"],
  }),
  mistakesKey("AUTH-18", "an account without a plan sends batches", {
    from: "noPlan",
    to: "full",
    on: ["sendBatch"],
  }),
  mistakesKey("AUTH-18", "an account without a plan cancels", {
    from: "noPlan",
    to: "full",
    on: ["cancelEmail"],
  }),
  rejectsKey(
    "AUTH-18",
    "an account without a plan is told that a message is not cancellable",
    { from: "noPlan", on: ["cancelEmail"] },
    () => errorResponse(409, "not_cancellable"),
  ),
  mistakesKey("AUTH-20", "an account without the newsletter reads lists", {
    from: "noNewsletter",
    to: "full",
    on: ["listNewsletterLists"],
  }),
  mistakesKey("AUTH-20", "an account without the newsletter reads custom fields", {
    from: "noNewsletter",
    to: "full",
    on: ["listCustomFields"],
  }),
  mistakesKey("AUTH-20", "an account without the newsletter adds contacts", {
    from: "noNewsletter",
    to: "full",
    on: ["upsertContact"],
  }),
  rejectsKey(
    "AUTH-21",
    "lists need a plan for e-mail",
    { from: "noPlan", on: ["listNewsletterLists"] },
    noPlan,
  ),
  rejectsKey(
    "AUTH-21",
    "custom fields need a plan for e-mail",
    { from: "noPlan", on: ["listCustomFields"] },
    noPlan,
  ),
  rejectsKey(
    "AUTH-21",
    "unsubscribing needs a plan for e-mail",
    { from: "noPlan", on: ["unsubscribeContact"] },
    noPlan,
  ),
];

export const abilitiesMutants: Mutant[] = [...ofAbilities, ...ofProducts];
