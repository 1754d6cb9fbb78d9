import {
  add,
  type Edit,
  inRow,
  put,
  remove,
  removeLast,
  reverse,
  schema,
  take,
} from "../../document-edits.ts";
import { additive, breaking, editorial, follows, row } from "./change.ts";

const { prefix, added, kept, clients } = follows;

const transitions = "/x-lifecycles/message/transitions";
const errorRow = (id: string, edit: (row: string) => Edit) => inRow("/x-errors", "id", id, edit);

/** Changes of the tables of the contract: errors, limits, requirements, lifecycles. */
export const tableChanges = [
  ...additive(added, {
    "a row of the error table is added": (bundle) => {
      bundle["x-errors"].push({
        ...row(bundle["x-errors"], "402.no_plan"),
        id: "403.paused",
        status: 403,
        type: "paused",
      });
    },
    "an error is added to another operation": errorRow("402.no_plan", (row) =>
      add(`${row}/operations`, "getMe"),
    ),
    "an error type is added to a tag": add("/tags/1/x-error-types", "send_rejected"),
    "a webhook is added": put("/webhooks", {
      delivered: { post: { responses: { "200": { description: "Accepted." } } } },
    }),
  }),
  ...breaking(clients, {
    "a row of the error table is removed": errorRow("409.idempotency_conflict", remove),
    "the status of an error changes": errorRow("402.no_plan", (row) => put(`${row}/status`, 403)),
    "the type of an error changes": errorRow("402.no_plan", (row) => put(`${row}/type`, "plan_missing")),
    "an error must no longer be retried": errorRow("429.rate_limited", (row) => put(`${row}/retry`, "never")),
    "an error no longer names the invalid fields": errorRow("422.invalid_request", (row) =>
      remove(`${row}/namesFields`),
    ),
    "an error is removed from an operation": errorRow("402.no_plan", (row) =>
      take(`${row}/operations`, "getContact"),
    ),
    "an error type is removed from a tag": take("/tags/1/x-error-types", "no_plan"),
    "the operations of a tag require another product": put("/tags/1/x-product", "email"),
    "the operations of a tag require a verified domain": put("/tags/1/x-requires-verified-domain", true),
    "fewer requests per minute are accepted": put("/x-limits/requestsPerMinute/value", 60),
    "messages can be looked up for a shorter time": put("/x-limits/messageLookup/value", 7),
    "an idempotency key is remembered for a shorter time": put("/x-limits/idempotencyWindow/value", 1),
    "an idempotency key is remembered for a longer time": put("/x-limits/idempotencyWindow/value", 72),
    "a version is supported for a shorter time after its successor": put("/x-limits/versionSupport/value", 6),
    "delivery is confirmed later": put("/x-limits/deliveryConfirmation/value", 60),
    "the unit of a limit changes": put("/x-limits/messageSize/unit", "kilobytes"),
    "a limit is removed": remove("/x-limits/callLog"),
    "an ability is removed": remove("/x-abilities/billing:read"),
    "a requirement is removed": removeLast("/x-requirements/idempotency"),
    "a requirement loses an operation": (bundle) => {
      bundle["x-requirements"].idempotency
        .find((one: { operations: string[] }) => one.operations.length > 1)
        .operations.pop();
    },
    "a canceled message ends in another state": inRow(transitions, "to", "canceled", (row) =>
      put(`${row}/to`, "failed"),
    ),
    "a transition is removed": remove(`${transitions}/1`),
    "the error of a transition changes": inRow(transitions, "error", "not_cancellable", (row) =>
      put(`${row}/error`, "not_reschedulable"),
    ),
    "a transition loses a start state": inRow(transitions, "error", "not_cancellable", (row) =>
      removeLast(`${row}/from`),
    ),
    "a transition is added to a fully specified state": add(transitions, {
      from: ["delivered"],
      on: "recall",
      to: "canceled",
    }),
    "a specified state becomes unspecified": add("/x-lifecycles/message/unspecified", "bounced"),
    "a property is no longer set in a state": removeLast("/x-lifecycles/message/records/0/properties/2/set"),
    "a property is null instead of set in a state": (bundle) => {
      const [record] = bundle["x-lifecycles"].message.records;
      record.properties[3].unset.push(record.properties[3].set.pop());
    },
    "the response to a scheduled send is decided by another property": put(
      `${schema("SendResponse")}/x-variant-by-request`,
      "tags",
    ),
    "a simulated recipient is removed": removeLast("/x-simulator/recipients"),
    "a simulated recipient ends in another state": put("/x-simulator/recipients/1/states", [
      "sent",
      "failed",
    ]),
    "the unreferenced schema of pages is removed": remove(schema("Page")),
  }),
  ...editorial({
    "the resolution of an error is reworded": errorRow("402.no_plan", (row) =>
      put(`${row}/resolution`, "Add the product."),
    ),
    "the rows of the error table are reordered": reverse("/x-errors"),
    "the description of a limit is reworded": put("/x-limits/callLog/description", "How long."),
    "a requirement is reworded": put("/x-requirements/idempotency/0/text", "A key is a string."),
    "an unspecified item is added": (bundle) =>
      bundle["x-unspecified"].push({ ...bundle["x-unspecified"][0], id: "OPEN-99" }),
    "the effect of a transition is reworded": put(`${transitions}/0/effect`, "It waits."),
    "the version of the document changes": put("/info/version", "1.1.0"),
    "the description of the document is reworded": put("/info/description", "An API."),
    "the description of a tag is reworded": put("/tags/0/description", "Mail."),
    "an annotation gets another requirement": put("/paths/~1api~1v1~1me/get/x-encodes", ["AUTH-1"]),
  }),
  ...additive(clients, {
    "the operations of a tag require no verified domain any more": remove(
      "/tags/0/x-requires-verified-domain",
    ),
    "more requests per minute are accepted": put("/x-limits/requestsPerMinute/value", 240),
    "messages can be scheduled further ahead": put("/x-limits/scheduleAhead/value", 90),
    "delivery is confirmed earlier": put("/x-limits/deliveryConfirmation/value", 1),
    "a limit is added": put("/x-limits/domains", {
      description: "Domains of an account.",
      unit: "domains",
      value: 10,
    }),
    "an ability is added": put("/x-abilities/templates:read", { description: "Read templates." }),
    "a requirement is added": (bundle) => {
      const rows = bundle["x-requirements"].idempotency;
      rows.push({ ...rows[0], id: "IDEM-99", text: "A key may be read back." });
    },
    "an unspecified item is removed": removeLast("/x-unspecified"),
    "a transition is added to an unspecified state": add(transitions, {
      from: ["queued"],
      on: "cancel",
      to: "canceled",
    }),
    "a property is specified in another state": add(
      "/x-lifecycles/message/records/0/properties/2/unset",
      "queued",
    ),
    "a simulated recipient is added": add("/x-simulator/recipients", {
      localPart: "delay",
      description: "Late.",
      states: ["delayed"],
    }),
  }),
  ...breaking(prefix, {
    "the prefix of the version changes": put("/x-versioning/prefix", "/api/v2"),
    "the server URL changes": put("/servers/0/url", "https://mail.example.com"),
  }),
  ...breaking(added, {
    "the version allows another kind of addition": add("/x-versioning/added", "required request fields"),
  }),
  ...breaking(kept, {
    "the version guarantees less": removeLast("/x-versioning/never"),
  }),
];
