import {
  add,
  at,
  change,
  type Defects,
  defect,
  json,
  parameter,
  put,
  remove,
  rename,
  take,
} from "../mutate/edit.ts";

const abilities = (operation: string): string => `${operation}/security/0/bearerAuth`;
const key = { $ref: "#/components/parameters/IdempotencyKeyParameter" };
const replayed = "Idempotent-Replayed";

export const operations: Defects = {
  "an operation without its ability": defect("operation-names-ability", change(abilities(at.getEmail), [])),
  "an operation with two abilities": defect(
    "operation-names-ability",
    add(abilities(at.getContact), "newsletter:manage"),
  ),
  "an operation with an unknown ability": defect(
    "operation-names-ability",
    change(abilities(at.cancelEmail), ["email:manage"]),
  ),
  "an operation with the ability of another": defect(
    "release",
    change(abilities(at.unsubscribeContact), ["newsletter:read"]),
  ),
  "an ability for an operation where it is unspecified": defect(
    "unspecified-stays-absent",
    change(abilities(at.getMe), ["email:send"]),
  ),
  "no security on an operation": defect("operation-names-ability", change(`${at.sendEmail}/security`, [])),
  "a choice of securities": defect("operation-names-ability", add(`${at.sendBatch}/security`, {})),
  "another security scheme": defect(
    "release",
    change("/components/securitySchemes/bearerAuth/scheme", "basic"),
  ),
  "an ability removed": defect("operation-names-ability", remove("/x-abilities/newsletter:read")),
  "an ability that nothing needs": defect(
    "abilities-consistent",
    put("/x-abilities/email:read", { description: "Read." }),
  ),
  "a list of operations that is not true": defect(
    "abilities-consistent",
    put("/x-abilities/newsletter:read/operations", ["getContact"]),
  ),
  "a send without an idempotency key": defect(
    "idempotent-operations-complete",
    remove(`${at.sendEmail}/parameters`),
  ),
  "an idempotency key on a change of time": defect(
    "idempotent-operations-complete",
    put(`${at.rescheduleEmail}/parameters`, [key]),
  ),
  "a success that does not tell a replay": defect(
    "idempotent-operations-complete",
    remove(`${at.upsertContact}/responses/201/headers/${replayed}`),
  ),
  "a read that tells a replay": defect(
    "idempotent-operations-complete",
    put(`${at.getContact}/responses/2XX/headers/${replayed}`, {
      $ref: "#/components/headers/IdempotentReplayed",
    }),
  ),
  "a replay header that always comes": defect(
    "idempotent-operations-complete",
    change("/components/headers/IdempotentReplayed/required", true),
  ),
  "an idempotency key that must be given": defect(
    "release",
    change(`${parameter("IdempotencyKeyParameter")}/required`, true),
  ),
  "an idempotency key under another name": defect(
    "idempotent-operations-complete",
    change(`${parameter("IdempotencyKeyParameter")}/name`, "X-Idempotency-Key"),
  ),
  "no summary": defect("operation-complete", remove(`${at.getMe}/summary`)),
  "a summary with a full stop": defect(
    "operation-complete",
    change(`${at.sendEmail}/summary`, "Send a message."),
  ),
  "a long summary": defect(
    "operation-complete",
    change(`${at.sendEmail}/summary`, "Send one message, at once or at the time that is given for it"),
  ),
  "no description": defect("operation-description", remove(`${at.listCustomFields}/description`)),
  "an operationId in another style": defect(
    "operation-complete",
    change(`${at.getEmail}/operationId`, "get-email"),
  ),
  "the same operationId twice": defect(
    "operation-operationId-unique",
    change(`${at.getContact}/operationId`, "getEmail"),
  ),
  "an operation renamed": defect("operations-known", change(`${at.getContact}/operationId`, "readContact")),
  "two tags": defect("operation-complete", add(`${at.getMe}/tags`, "Emails")),
  "an unknown tag": defect("operation-complete", change(`${at.getMe}/tags`, ["Keys"])),
  "another tag": defect("release", change(`${at.getMe}/tags`, ["Emails"])),
  "an operation removed": defect("operations-known", remove(at.cancelEmail)),
  "an operation that the service does not have": defect(
    "unspecified-stays-absent",
    put("/paths/~1api~1v1~1templates", {}),
  ),
  "another method": defect("release", rename(at.rescheduleEmail, "put")),
  "an address without the version": defect("versioned-paths", rename("/paths/~1api~1v1~1me", "/api/me")),
  "an address in capitals": defect(
    "versioned-paths",
    rename("/paths/~1api~1v1~1newsletter~1lists", "/api/v1/Newsletter/lists"),
  ),
  "another success status": defect("release", rename(`${at.sendEmail}/responses/202`, "200")),
  "a contact that is always updated": defect("release", remove(`${at.upsertContact}/responses/201`)),
  "a status where it is unspecified": defect(
    "unspecified-stays-absent",
    rename(`${at.sendBatch}/responses/2XX`, "202"),
  ),
  "a status beside the open one": defect("success-status-unspecified", (document) => {
    put(`${at.getEmail}/responses/203`, { $ref: "#/components/responses/NoPlan" })(document);
  }),
  "an open status that is not marked": defect(
    "success-status-unspecified",
    remove(`${at.listNewsletterLists}/responses/2XX/x-leaves-unspecified`),
  ),
  "no success": defect("success-status-unspecified", remove(`${at.getMe}/responses/200`)),
  "an address that is not said to be encoded": defect(
    "email-parameters-encoded",
    change(`${parameter("ContactEmail")}/description`, "The address."),
  ),
  "an address of any shape": defect(
    "email-parameters-encoded",
    change(`${parameter("ContactEmail")}/schema`, { $ref: "#/components/schemas/MessageId" }),
  ),
  "a link to no operation": defect(
    "links-resolve",
    change(`${at.sendBatch}/responses/2XX/links/getEmail/operationId`, "readEmail"),
  ),
  "a link that reads a field which is not there": defect(
    "links-resolve",
    change(`${at.sendEmail}/responses/202/links/cancelEmail/parameters/id`, "$response.body#/message_id"),
  ),
  "a link without its parameter": defect(
    "links-resolve",
    remove(`${at.cancelEmail}/responses/2XX/links/getEmail/parameters`),
  ),
  "a link removed": defect("release", remove(`${at.sendEmail}/responses/202/links/rescheduleEmail`)),
  "a request in another media type": defect(
    "json-only",
    rename(json(`${at.unsubscribeContact}/requestBody`), "application/x-www-form-urlencoded"),
  ),
  "a request that may be left out": defect("release", change(`${at.sendEmail}/requestBody/required`, false)),
  "something deprecated without a date": defect("deprecation-complete", put(`${at.getMe}/deprecated`, true)),
  "a path parameter renamed": defect(
    "path-params",
    change(`${parameter("MessageIdParameter")}/name`, "message_id"),
  ),
  "a parameter without a description": defect(
    "parameters-and-headers-described",
    remove(`${parameter("MessageIdParameter")}/description`),
  ),
  "another ability in the row of the newsletter": defect(
    "operation-names-ability",
    rename("/x-abilities/newsletter:manage", "newsletter:write"),
  ),
  "a misspelt operation in an unspecified item": defect(
    "operations-known",
    take("/x-unspecified/1/operations", "sendBatch"),
    add("/x-unspecified/1/operations", "sendBatches"),
  ),
  "a link with a body": defect(
    "links-without-request-body",
    put(`${at.listNewsletterLists}/responses/2XX/links/upsertContact/requestBody`, {
      email: "ada@example.com",
    }),
  ),
  "a server variable with a description": defect(
    "server-variables-plain",
    put("/servers/0/variables/base_url/description", "The base URL."),
  ),
};
