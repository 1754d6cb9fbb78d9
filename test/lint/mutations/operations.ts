import { add, at, change, inTurn, json, parameter, put, remove, rename, take } from "../../document-edits.ts";
import type { Defects } from "../mutate/defects.ts";

const abilities = (operation: string): string => `${operation}/security/0/bearerAuth`;
const key = { $ref: "#/components/parameters/IdempotencyKeyParameter" };
const replayed = "Idempotent-Replayed";

export const operations: Defects = {
  "operation-names-ability": {
    "an operation without its ability": change(abilities(at.getEmail), []),
    "an operation with two abilities": add(abilities(at.getContact), "newsletter:manage"),
    "an operation with an unknown ability": change(abilities(at.cancelEmail), ["email:manage"]),
    "no security on an operation": change(`${at.sendEmail}/security`, []),
    "a choice of securities": add(`${at.sendBatch}/security`, {}),
    "an ability removed": remove("/x-abilities/newsletter:read"),
    "another ability in the row of the newsletter": rename(
      "/x-abilities/newsletter:manage",
      "newsletter:write",
    ),
  },
  release: {
    "an operation with the ability of another": change(abilities(at.unsubscribeContact), ["newsletter:read"]),
    "another security scheme": change("/components/securitySchemes/bearerAuth/scheme", "basic"),
    "an idempotency key that must be given": change(`${parameter("IdempotencyKeyParameter")}/required`, true),
    "another tag": change(`${at.getMe}/tags`, ["Emails"]),
    "another method": rename(at.rescheduleEmail, "put"),
    "another success status": rename(`${at.sendEmail}/responses/202`, "200"),
    "a contact that is always updated": remove(`${at.upsertContact}/responses/201`),
    "a link removed": remove(`${at.sendEmail}/responses/202/links/rescheduleEmail`),
    "a request that may be left out": change(`${at.sendEmail}/requestBody/required`, false),
  },
  "unspecified-stays-absent": {
    "an ability for an operation where it is unspecified": change(abilities(at.getMe), ["email:send"]),
    "an operation that the service does not have": put("/paths/~1api~1v1~1templates", {}),
    "a status where it is unspecified": rename(`${at.sendBatch}/responses/2XX`, "202"),
  },
  "abilities-consistent": {
    "an ability that nothing needs": put("/x-abilities/email:read", { description: "Read." }),
    "a list of operations that is not true": put("/x-abilities/newsletter:read/operations", ["getContact"]),
  },
  "idempotent-operations-complete": {
    "a send without an idempotency key": remove(`${at.sendEmail}/parameters`),
    "an idempotency key on a change of time": put(`${at.rescheduleEmail}/parameters`, [key]),
    "a success that does not tell a replay": remove(`${at.upsertContact}/responses/201/headers/${replayed}`),
    "a read that tells a replay": put(`${at.getContact}/responses/2XX/headers/${replayed}`, {
      $ref: "#/components/headers/IdempotentReplayed",
    }),
    "a replay header that always comes": change("/components/headers/IdempotentReplayed/required", true),
    "an idempotency key under another name": change(
      `${parameter("IdempotencyKeyParameter")}/name`,
      "X-Idempotency-Key",
    ),
  },
  "operation-complete": {
    "no summary": remove(`${at.getMe}/summary`),
    "a summary with a full stop": change(`${at.sendEmail}/summary`, "Send a message."),
    "a long summary": change(
      `${at.sendEmail}/summary`,
      "Send one message, at once or at the time that is given for it",
    ),
    "an operationId in another style": change(`${at.getEmail}/operationId`, "get-email"),
  },
  "operation-singular-tag": {
    "two tags": add(`${at.getMe}/tags`, "Emails"),
  },
  "operation-tag-defined": {
    "an unknown tag": change(`${at.getMe}/tags`, ["Keys"]),
  },
  "operation-description": {
    "no description": remove(`${at.listCustomFields}/description`),
  },
  "operation-operationId-unique": {
    "the same operationId twice": change(`${at.getContact}/operationId`, "getEmail"),
  },
  "operations-known": {
    "an operation renamed": change(`${at.getContact}/operationId`, "readContact"),
    "an operation removed": remove(at.cancelEmail),
    "a misspelt operation in an unspecified item": inTurn(
      take("/x-unspecified/1/operations", "sendBatch"),
      add("/x-unspecified/1/operations", "sendBatches"),
    ),
  },
  "versioned-paths": {
    "an address without the version": rename("/paths/~1api~1v1~1me", "/api/me"),
    "an address in capitals": rename("/paths/~1api~1v1~1newsletter~1lists", "/api/v1/Newsletter/lists"),
  },
  "success-status-unspecified": {
    "a status beside the open one": put(`${at.getEmail}/responses/203`, {
      $ref: "#/components/responses/NoPlan",
    }),
    "an open status that is not marked": remove(
      `${at.listNewsletterLists}/responses/2XX/x-leaves-unspecified`,
    ),
    "no success": remove(`${at.getMe}/responses/200`),
  },
  "email-parameters-encoded": {
    "an address that is not said to be encoded": change(
      `${parameter("ContactEmail")}/description`,
      "The address.",
    ),
    "an address of any shape": change(`${parameter("ContactEmail")}/schema`, {
      $ref: "#/components/schemas/MessageId",
    }),
  },
  "links-resolve": {
    "a link to no operation": change(`${at.sendBatch}/responses/2XX/links/getEmail/operationId`, "readEmail"),
    "a link that reads a field which is not there": change(
      `${at.sendEmail}/responses/202/links/cancelEmail/parameters/id`,
      "$response.body#/message_id",
    ),
    "a link without its parameter": remove(`${at.cancelEmail}/responses/2XX/links/getEmail/parameters`),
  },
  "json-only": {
    "a request in another media type": rename(
      json(`${at.unsubscribeContact}/requestBody`),
      "application/x-www-form-urlencoded",
    ),
  },
  "deprecation-complete": {
    "something deprecated without a date": put(`${at.getMe}/deprecated`, true),
  },
  "path-params": {
    "a path parameter renamed": change(`${parameter("MessageIdParameter")}/name`, "message_id"),
  },
  "parameters-and-headers-described": {
    "a parameter without a description": remove(`${parameter("MessageIdParameter")}/description`),
  },
  "links-without-request-body": {
    "a link with a body": put(`${at.listNewsletterLists}/responses/2XX/links/upsertContact/requestBody`, {
      email: "ada@example.com",
    }),
  },
  "server-variables-plain": {
    "a server variable with a description": put("/servers/0/variables/base_url/description", "The base URL."),
  },
};
