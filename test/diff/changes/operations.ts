import {
  add,
  at,
  copy,
  example,
  field,
  header,
  inTurn,
  parameter,
  put,
  remove,
  rename,
  response,
  reverse,
  schema,
  take,
} from "../../document-edits.ts";
import { additive, breaking, editorial, follows } from "./change.ts";

const { added, kept, type, optional, clients, lifetime } = follows;

/** Changes of paths, parameters, headers, statuses and abilities. */
export const operationChanges = [
  ...additive(added, {
    "a path is added": put("/paths/~1api~1v1~1domains", {
      get: {
        operationId: "listDomains",
        tags: ["Account"],
        responses: { "200": { description: "Domains." } },
      },
    }),
    "a method is added to a path": put("/paths/~1api~1v1~1newsletter~1contacts~1{email}/delete", {
      operationId: "deleteContact",
      tags: ["Newsletter"],
      parameters: [{ $ref: "#/components/parameters/ContactEmail" }],
      responses: { "204": { description: "Gone." } },
    }),
    "an optional query parameter is added": put(`${at.listNewsletterLists}/parameters`, [
      { name: "sort", in: "query", required: false, description: "Order.", schema: { type: "string" } },
    ]),
    "an optional request header is added": put(`${at.unsubscribeContact}/parameters`, [
      { $ref: "#/components/parameters/IdempotencyKeyParameter" },
    ]),
    "an operation without a body gets an optional one": put(`${at.cancelEmail}/requestBody`, {
      content: { "application/json": { schema: { type: "object" } } },
    }),
    "an error status is added": put(`${at.getContact}/responses/410`, {
      $ref: "#/components/responses/ContactNotFound",
    }),
    "a header is added to one response": put(`${at.getMe}/responses/200/headers/X-Key-Ends`, {
      schema: { type: "string" },
    }),
    "a required header is added to error responses": put(
      `${response("Unauthorized")}/headers/WWW-Authenticate`,
      {
        required: true,
        schema: { type: "string" },
      },
    ),
    "the responses of another operation get a header": add(`${header("MonthlyQuota")}/x-operations`, "getMe"),
  }),
  ...breaking(clients, {
    "a path is removed": remove("/paths/~1api~1v1~1me"),
    "a method is removed": remove("/paths/~1api~1v1~1emails~1{id}/patch"),
    "a path moves to another prefix": rename("/paths/~1api~1v1~1me", "/api/v2/me"),
    "an operationId changes": put(`${at.getEmail}/operationId`, "readEmail"),
    "a JSON body is no longer accepted": rename(
      `${at.upsertContact}/requestBody/content/application~1json`,
      "text/csv",
    ),
    "a success status changes": rename(`${at.sendEmail}/responses/202`, "200"),
    "a second success status is added": copy(
      `${at.sendEmail}/responses/202`,
      `${at.sendEmail}/responses/200`,
    ),
    "one of two success statuses is removed": remove(`${at.upsertContact}/responses/201`),
    "a success status becomes unspecified": rename(`${at.getMe}/responses/200`, "2XX"),
    "an error status is removed": remove(`${at.cancelEmail}/responses/409`),
    "an error status changes": rename(`${at.sendEmail}/responses/422`, "400"),
    "the gateway response 405 is removed": inTurn(
      remove("/x-gateway-responses/405"),
      remove(response("MethodNotAllowed")),
    ),
    "a value is added to the enum of a response header": add(
      `${header("IdempotentReplayed")}/schema/enum`,
      "false",
    ),
    "an operation requires another ability": put(`${at.listNewsletterLists}/security`, [
      { bearerAuth: ["newsletter:manage"] },
    ]),
    "an operation requires a second ability": add(`${at.sendEmail}/security/0/bearerAuth`, "domains:read"),
    "an operation for any key requires an ability": add(`${at.getMe}/security/0/bearerAuth`, "billing:read"),
    "the authentication scheme changes": put("/components/securitySchemes/bearerAuth/scheme", "basic"),
    "a second authentication scheme is required": inTurn(
      put("/components/securitySchemes/account", { type: "apiKey", in: "header", name: "X-Account" }),
      put(`${at.sendEmail}/security/0/account`, []),
    ),
    "an operation moves to the tag of another product": put(`${at.getMe}/tags`, ["Newsletter"]),
  }),
  ...additive(lifetime, {
    "an operation is deprecated": put(`${at.cancelEmail}/deprecated`, true),
    "a property is deprecated": put(`${field("Membership", "status_description")}/deprecated`, true),
  }),
  ...breaking(optional, {
    "a required query parameter is added": put(`${at.listNewsletterLists}/parameters`, [
      { name: "limit", in: "query", required: true, description: "Count.", schema: { type: "integer" } },
    ]),
    "an optional request header becomes required": put(
      `${parameter("IdempotencyKeyParameter")}/required`,
      true,
    ),
    "an operation without a body gets a required one": put(`${at.cancelEmail}/requestBody`, {
      required: true,
      content: { "application/json": { schema: { type: "object" } } },
    }),
  }),
  ...breaking(kept, {
    "one operation no longer accepts the idempotency key": put(`${at.upsertContact}/parameters`, []),
    "the idempotency key is renamed": put(
      `${parameter("IdempotencyKeyParameter")}/name`,
      "X-Idempotency-Key",
    ),
    "the name of a path parameter changes": inTurn(
      rename("/paths/~1api~1v1~1emails~1{id}", "/api/v1/emails/{message_id}"),
      put(`${parameter("MessageIdParameter")}/name`, "message_id"),
    ),
    "a required response header is removed": remove(
      `${at.sendEmail}/responses/202/headers/X-Service-Monthly-Quota`,
    ),
    "an optional response header is removed": remove(
      `${at.sendBatch}/responses/2XX/headers/Idempotent-Replayed`,
    ),
    "a response header is renamed": rename(`${response("RateLimited")}/headers/Retry-After`, "X-Retry-After"),
    "a required response header becomes optional": put(`${header("ServiceRequestId")}/required`, false),
    "the responses of one operation lose a header": take(
      `${header("MonthlyQuota")}/x-operations`,
      "sendBatch",
    ),
  }),
  ...breaking(type, {
    "the type of a path parameter changes": put(`${parameter("MessageIdParameter")}/schema`, {
      type: "integer",
    }),
    "the type of a response header changes": put(`${header("RetryAfter")}/schema`, { type: "string" }),
    "the type of a counting header changes": put(`${header("RateLimitRemaining")}/schema`, {
      type: "string",
      format: "date-time",
    }),
  }),
  ...editorial({
    "the case of a request header name changes": put(
      `${parameter("IdempotencyKeyParameter")}/name`,
      "idempotency-key",
    ),
    "a link of an operation is removed": remove(`${at.sendEmail}/responses/202/links/getEmail`),
    "the description of an operation is reworded": put(
      `${at.getEmail}/description`,
      "Tells what became of it.",
    ),
    "the summary of an operation is reworded": put(`${at.getEmail}/summary`, "Look up one message"),
    "the description of a property is reworded": put(
      `${field("Membership", "email")}/description`,
      "The address.",
    ),
    "an example of a response changes": put(`${example("MessageSent")}/value/subject`, "Another"),
    "an example is added to a request": put(
      `${at.sendEmail}/requestBody/content/application~1json/examples/other`,
      { value: {} },
    ),
    "the title of a schema changes": put(`${schema("Membership")}/title`, "Membership of a list"),
    "the required properties of a response are reordered": reverse(`${schema("Membership")}/required`),
  }),
  ...additive(clients, {
    "a required request body becomes optional": put(`${at.upsertContact}/requestBody/required`, false),
    "an unspecified success status is specified": rename(`${at.getContact}/responses/2XX`, "200"),
    "an optional response header becomes required": put(`${header("OptionalRetryAfter")}/required`, true),
    "an operation requires no ability any more": put(`${at.listNewsletterLists}/security`, [
      { bearerAuth: [] },
    ]),
    "an operation accepts another ability as well": add(`${at.listNewsletterLists}/security`, {
      bearerAuth: ["newsletter:manage"],
    }),
  }),
];
