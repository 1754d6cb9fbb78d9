import { allowed, breaking, drop, editorial, follows, row } from "./change.ts";

const { prefix, added, kept, clients } = follows;

/** Changes of the tables of the contract: errors, limits, promises, lives. */
export const tableChanges = [
  allowed(added, "a row of the error table is added", (bundle) => {
    bundle["x-errors"].push({
      ...row(bundle["x-errors"], "402.no_plan"),
      id: "403.paused",
      status: 403,
      type: "paused",
    });
  }),
  breaking(clients, "a row of the error table is removed", (bundle) => {
    drop(bundle["x-errors"], row(bundle["x-errors"], "409.idempotency_conflict"));
  }),
  breaking(clients, "an error has another status", (bundle) => {
    row(bundle["x-errors"], "402.no_plan").status = 403;
  }),
  breaking(clients, "an error has another type", (bundle) => {
    row(bundle["x-errors"], "402.no_plan").type = "plan_missing";
  }),
  breaking(clients, "an error is not to be tried again any more", (bundle) => {
    row(bundle["x-errors"], "429.rate_limited").retry = "never";
  }),
  allowed(added, "one more operation may fail with an error", (bundle) => {
    row(bundle["x-errors"], "402.no_plan").operations.push("getMe");
  }),
  breaking(clients, "one operation less fails with an error", (bundle) => {
    drop(row(bundle["x-errors"], "402.no_plan").operations, "getContact");
  }),
  editorial("what to do about an error is said in other words", (bundle) => {
    row(bundle["x-errors"], "402.no_plan").resolution = "Add the product.";
  }),
  editorial("the rows of the error table are in another order", (bundle) => {
    bundle["x-errors"].reverse();
  }),
  allowed(added, "the calls of a tag may fail with one type more", (bundle) => {
    bundle.tags[1]["x-error-types"].push("send_rejected");
  }),
  breaking(clients, "the calls of a tag fail with one type less", (bundle) => {
    drop(bundle.tags[1]["x-error-types"], "no_plan");
  }),
  breaking(clients, "the calls of a tag need another product", (bundle) => {
    bundle.tags[1]["x-product"] = "email";
  }),
  breaking(clients, "fewer requests a minute are taken", (bundle) => {
    bundle["x-limits"].requestsPerMinute.value = 60;
  }),
  allowed(clients, "more requests a minute are taken", (bundle) => {
    bundle["x-limits"].requestsPerMinute.value = 240;
  }),
  breaking(clients, "messages can be looked up for less time", (bundle) => {
    bundle["x-limits"].messageLookup.value = 7;
  }),
  allowed(clients, "messages can be scheduled further ahead", (bundle) => {
    bundle["x-limits"].scheduleAhead.value = 90;
  }),
  breaking(clients, "an idempotency key is remembered for less time", (bundle) => {
    bundle["x-limits"].idempotencyWindow.value = 1;
  }),
  breaking(clients, "an idempotency key is remembered for more time", (bundle) => {
    bundle["x-limits"].idempotencyWindow.value = 72;
  }),
  breaking(clients, "a version works for less time after its successor", (bundle) => {
    bundle["x-limits"].versionSupport.value = 6;
  }),
  breaking(clients, "delivery is confirmed later", (bundle) => {
    bundle["x-limits"].deliveryConfirmation.value = 60;
  }),
  allowed(clients, "delivery is confirmed earlier", (bundle) => {
    bundle["x-limits"].deliveryConfirmation.value = 1;
  }),
  breaking(clients, "a limit counts in another unit", (bundle) => {
    bundle["x-limits"].messageSize.unit = "kilobytes";
  }),
  breaking(clients, "a limit is not told any more", (bundle) => {
    delete bundle["x-limits"].callLog;
  }),
  allowed(clients, "a limit is told", (bundle) => {
    bundle["x-limits"].domains = { description: "Domains of an account.", unit: "domains", value: 10 };
  }),
  editorial("a limit is described in other words", (bundle) => {
    bundle["x-limits"].callLog.description = "How long.";
  }),
  allowed(clients, "an ability is added", (bundle) => {
    bundle["x-abilities"]["templates:read"] = { description: "Read templates." };
  }),
  breaking(clients, "an ability is removed", (bundle) => {
    delete bundle["x-abilities"]["billing:read"];
  }),
  breaking(clients, "a promise is removed", (bundle) => {
    bundle["x-requirements"].idempotency.pop();
  }),
  allowed(clients, "a promise is added", (bundle) => {
    const rows = bundle["x-requirements"].idempotency;
    rows.push({ ...rows[0], id: "IDEM-99", text: "A key may be read back." });
  }),
  breaking(clients, "a promise holds for one operation less", (bundle) => {
    bundle["x-requirements"].idempotency
      .find((one: { operations: string[] }) => one.operations.length > 1)
      .operations.pop();
  }),
  editorial("a promise is said in other words", (bundle) => {
    bundle["x-requirements"].idempotency[0].text = "A key is a string.";
  }),
  editorial("an open place is added", (bundle) => {
    bundle["x-unspecified"].push({ ...bundle["x-unspecified"][0], id: "OPEN-99" });
  }),
  allowed(clients, "an open place is closed", (bundle) => {
    bundle["x-unspecified"].pop();
  }),
  breaking(clients, "a canceled message ends in another state", (bundle) => {
    bundle["x-lifecycles"].message.transitions.find(
      (one: { to: string | null }) => one.to === "canceled",
    ).to = "failed";
  }),
  breaking(clients, "a transition is removed", (bundle) => {
    bundle["x-lifecycles"].message.transitions.splice(1, 1);
  }),
  breaking(clients, "a transition refuses with another error", (bundle) => {
    const { transitions } = bundle["x-lifecycles"].message;
    transitions.find((one: { error?: string }) => one.error === "not_cancellable").error =
      "not_reschedulable";
  }),
  breaking(clients, "a transition starts from one state less", (bundle) => {
    const { transitions } = bundle["x-lifecycles"].message;
    transitions.find((one: { error?: string }) => one.error === "not_cancellable").from.pop();
  }),
  breaking(clients, "a transition is added to a state that was told in full", (bundle) => {
    bundle["x-lifecycles"].message.transitions.push({ from: ["delivered"], on: "recall", to: "canceled" });
  }),
  allowed(clients, "a transition is told of a state that was open", (bundle) => {
    bundle["x-lifecycles"].message.transitions.push({ from: ["queued"], on: "cancel", to: "canceled" });
  }),
  breaking(clients, "a state is open that was told", (bundle) => {
    bundle["x-lifecycles"].message.unspecified.push("bounced");
  }),
  editorial("the effect of a transition is said in other words", (bundle) => {
    bundle["x-lifecycles"].message.transitions[0].effect = "It waits.";
  }),
  breaking(clients, "a simulated recipient is removed", (bundle) => {
    bundle["x-simulator"].recipients.pop();
  }),
  allowed(clients, "a simulated recipient is added", (bundle) => {
    bundle["x-simulator"].recipients.push({ localPart: "delay", description: "Late.", states: ["delayed"] });
  }),
  breaking(clients, "a simulated recipient ends in another state", (bundle) => {
    bundle["x-simulator"].recipients[1].states = ["sent", "failed"];
  }),
  breaking(prefix, "the prefix of the version is another", (bundle) => {
    bundle["x-versioning"].prefix = "/api/v2";
  }),
  breaking(added, "the version may add something that it could not", (bundle) => {
    bundle["x-versioning"].added.push("required request fields");
  }),
  breaking(kept, "the version rules out less", (bundle) => {
    bundle["x-versioning"].never.pop();
  }),
  breaking(prefix, "the service is at another address", (bundle) => {
    bundle.servers[0].url = "https://mail.example.com";
  }),
  allowed(added, "a notification is added", (bundle) => {
    bundle.webhooks = { delivered: { post: { responses: { "200": { description: "Taken." } } } } };
  }),
  breaking(clients, "the description of pages is removed", (bundle) => {
    delete bundle.components.schemas.Page;
  }),
  editorial("the document has another version", (bundle) => {
    bundle.info.version = "1.1.0";
  }),
  editorial("the document is described in other words", (bundle) => {
    bundle.info.description = "An API.";
  }),
  editorial("a tag is described in other words", (bundle) => {
    bundle.tags[0].description = "Mail.";
  }),
  editorial("a mark points at one promise more", (bundle) => {
    bundle.paths["/api/v1/me"].get["x-encodes"] = ["AUTH-1"];
  }),
];
