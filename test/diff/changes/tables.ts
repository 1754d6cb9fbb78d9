import { additive, breaking, drop, editorial, follows, row } from "./change.ts";

const { prefix, added, kept, clients } = follows;

/** Changes of the tables of the contract: errors, limits, requirements, lifecycles. */
export const tableChanges = [
  additive(added, "a row of the error table is added", (bundle) => {
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
  breaking(clients, "the status of an error changes", (bundle) => {
    row(bundle["x-errors"], "402.no_plan").status = 403;
  }),
  breaking(clients, "the type of an error changes", (bundle) => {
    row(bundle["x-errors"], "402.no_plan").type = "plan_missing";
  }),
  breaking(clients, "an error must no longer be retried", (bundle) => {
    row(bundle["x-errors"], "429.rate_limited").retry = "never";
  }),
  breaking(clients, "an error no longer names the invalid fields", (bundle) => {
    delete row(bundle["x-errors"], "422.invalid_request").namesFields;
  }),
  additive(added, "an error is added to another operation", (bundle) => {
    row(bundle["x-errors"], "402.no_plan").operations.push("getMe");
  }),
  breaking(clients, "an error is removed from an operation", (bundle) => {
    drop(row(bundle["x-errors"], "402.no_plan").operations, "getContact");
  }),
  editorial("the resolution of an error is reworded", (bundle) => {
    row(bundle["x-errors"], "402.no_plan").resolution = "Add the product.";
  }),
  editorial("the rows of the error table are reordered", (bundle) => {
    bundle["x-errors"].reverse();
  }),
  additive(added, "an error type is added to a tag", (bundle) => {
    bundle.tags[1]["x-error-types"].push("send_rejected");
  }),
  breaking(clients, "an error type is removed from a tag", (bundle) => {
    drop(bundle.tags[1]["x-error-types"], "no_plan");
  }),
  breaking(clients, "the operations of a tag require another product", (bundle) => {
    bundle.tags[1]["x-product"] = "email";
  }),
  breaking(clients, "the operations of a tag require a verified domain", (bundle) => {
    bundle.tags[1]["x-requires-verified-domain"] = true;
  }),
  additive(clients, "the operations of a tag require no verified domain any more", (bundle) => {
    delete bundle.tags[0]["x-requires-verified-domain"];
  }),
  breaking(clients, "fewer requests per minute are accepted", (bundle) => {
    bundle["x-limits"].requestsPerMinute.value = 60;
  }),
  additive(clients, "more requests per minute are accepted", (bundle) => {
    bundle["x-limits"].requestsPerMinute.value = 240;
  }),
  breaking(clients, "messages can be looked up for a shorter time", (bundle) => {
    bundle["x-limits"].messageLookup.value = 7;
  }),
  additive(clients, "messages can be scheduled further ahead", (bundle) => {
    bundle["x-limits"].scheduleAhead.value = 90;
  }),
  breaking(clients, "an idempotency key is remembered for a shorter time", (bundle) => {
    bundle["x-limits"].idempotencyWindow.value = 1;
  }),
  breaking(clients, "an idempotency key is remembered for a longer time", (bundle) => {
    bundle["x-limits"].idempotencyWindow.value = 72;
  }),
  breaking(clients, "a version is supported for a shorter time after its successor", (bundle) => {
    bundle["x-limits"].versionSupport.value = 6;
  }),
  breaking(clients, "delivery is confirmed later", (bundle) => {
    bundle["x-limits"].deliveryConfirmation.value = 60;
  }),
  additive(clients, "delivery is confirmed earlier", (bundle) => {
    bundle["x-limits"].deliveryConfirmation.value = 1;
  }),
  breaking(clients, "the unit of a limit changes", (bundle) => {
    bundle["x-limits"].messageSize.unit = "kilobytes";
  }),
  breaking(clients, "a limit is removed", (bundle) => {
    delete bundle["x-limits"].callLog;
  }),
  additive(clients, "a limit is added", (bundle) => {
    bundle["x-limits"].domains = { description: "Domains of an account.", unit: "domains", value: 10 };
  }),
  editorial("the description of a limit is reworded", (bundle) => {
    bundle["x-limits"].callLog.description = "How long.";
  }),
  additive(clients, "an ability is added", (bundle) => {
    bundle["x-abilities"]["templates:read"] = { description: "Read templates." };
  }),
  breaking(clients, "an ability is removed", (bundle) => {
    delete bundle["x-abilities"]["billing:read"];
  }),
  breaking(clients, "a requirement is removed", (bundle) => {
    bundle["x-requirements"].idempotency.pop();
  }),
  additive(clients, "a requirement is added", (bundle) => {
    const rows = bundle["x-requirements"].idempotency;
    rows.push({ ...rows[0], id: "IDEM-99", text: "A key may be read back." });
  }),
  breaking(clients, "a requirement loses an operation", (bundle) => {
    bundle["x-requirements"].idempotency
      .find((one: { operations: string[] }) => one.operations.length > 1)
      .operations.pop();
  }),
  editorial("a requirement is reworded", (bundle) => {
    bundle["x-requirements"].idempotency[0].text = "A key is a string.";
  }),
  editorial("an unspecified item is added", (bundle) => {
    bundle["x-unspecified"].push({ ...bundle["x-unspecified"][0], id: "OPEN-99" });
  }),
  additive(clients, "an unspecified item is removed", (bundle) => {
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
  breaking(clients, "the error of a transition changes", (bundle) => {
    const { transitions } = bundle["x-lifecycles"].message;
    transitions.find((one: { error?: string }) => one.error === "not_cancellable").error =
      "not_reschedulable";
  }),
  breaking(clients, "a transition loses a start state", (bundle) => {
    const { transitions } = bundle["x-lifecycles"].message;
    transitions.find((one: { error?: string }) => one.error === "not_cancellable").from.pop();
  }),
  breaking(clients, "a transition is added to a fully specified state", (bundle) => {
    bundle["x-lifecycles"].message.transitions.push({ from: ["delivered"], on: "recall", to: "canceled" });
  }),
  additive(clients, "a transition is added to an unspecified state", (bundle) => {
    bundle["x-lifecycles"].message.transitions.push({ from: ["queued"], on: "cancel", to: "canceled" });
  }),
  breaking(clients, "a specified state becomes unspecified", (bundle) => {
    bundle["x-lifecycles"].message.unspecified.push("bounced");
  }),
  additive(clients, "a property is specified in another state", (bundle) => {
    bundle["x-lifecycles"].message.records[0].properties[2].unset.push("queued");
  }),
  breaking(clients, "a property is no longer set in a state", (bundle) => {
    bundle["x-lifecycles"].message.records[0].properties[2].set.pop();
  }),
  breaking(clients, "a property is null instead of set in a state", (bundle) => {
    const [record] = bundle["x-lifecycles"].message.records;
    record.properties[3].unset.push(record.properties[3].set.pop());
  }),
  breaking(clients, "the response to a scheduled send is decided by another property", (bundle) => {
    bundle.components.schemas.SendResponse["x-variant-by-request"] = "tags";
  }),
  editorial("the effect of a transition is reworded", (bundle) => {
    bundle["x-lifecycles"].message.transitions[0].effect = "It waits.";
  }),
  breaking(clients, "a simulated recipient is removed", (bundle) => {
    bundle["x-simulator"].recipients.pop();
  }),
  additive(clients, "a simulated recipient is added", (bundle) => {
    bundle["x-simulator"].recipients.push({ localPart: "delay", description: "Late.", states: ["delayed"] });
  }),
  breaking(clients, "a simulated recipient ends in another state", (bundle) => {
    bundle["x-simulator"].recipients[1].states = ["sent", "failed"];
  }),
  breaking(prefix, "the prefix of the version changes", (bundle) => {
    bundle["x-versioning"].prefix = "/api/v2";
  }),
  breaking(added, "the version allows another kind of addition", (bundle) => {
    bundle["x-versioning"].added.push("required request fields");
  }),
  breaking(kept, "the version guarantees less", (bundle) => {
    bundle["x-versioning"].never.pop();
  }),
  breaking(prefix, "the server URL changes", (bundle) => {
    bundle.servers[0].url = "https://mail.example.com";
  }),
  additive(added, "a webhook is added", (bundle) => {
    bundle.webhooks = { delivered: { post: { responses: { "200": { description: "Accepted." } } } } };
  }),
  breaking(clients, "the unreferenced schema of pages is removed", (bundle) => {
    delete bundle.components.schemas.Page;
  }),
  editorial("the version of the document changes", (bundle) => {
    bundle.info.version = "1.1.0";
  }),
  editorial("the description of the document is reworded", (bundle) => {
    bundle.info.description = "An API.";
  }),
  editorial("the description of a tag is reworded", (bundle) => {
    bundle.tags[0].description = "Mail.";
  }),
  editorial("an annotation gets another requirement", (bundle) => {
    bundle.paths["/api/v1/me"].get["x-encodes"] = ["AUTH-1"];
  }),
];
