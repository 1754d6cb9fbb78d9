import {
  add,
  at,
  copy,
  field,
  inRow,
  inTurn,
  parameter,
  put,
  remove,
  removeLast,
  schema,
} from "../../document-edits.ts";
import { additive, breaking, editorial, follows, given } from "./change.ts";

const { prefix, added, kept, type, optional, clients, lifetime } = follows;

const reason = field("UnsubscribeRequest", "reason");
const agent = field("Consent", "user_agent");
const listName = field("NewsletterList", "name");
const sort = { name: "sort", in: "query", required: true, schema: { type: "string" } };
const responses = { "200": { description: "Accepted." } };

const withEnum = given(put(`${reason}/enum`, ["spam", "seldom"]));
const withExtensibleEnum = given(put(`${reason}/x-extensible-enum`, ["spam", "seldom"]));
const withConstant = given(put(`${agent}/const`, "web"));
const withDefault = given(put(`${listName}/default`, "News"));
const withParameter = given(put(`${at.listNewsletterLists}/parameters`, [sort]));
const withWebhook = given(
  put("/webhooks", { delivered: { post: { operationId: "onDelivered", responses } } }),
);
const withCondition = given(
  inTurn(
    put(`${schema("Bounce")}/if`, { required: ["a"] }),
    put(`${schema("Bounce")}/then`, { required: ["b"] }),
  ),
);

/** Changes of what this contract uses rarely. If it does not use something at all, the base gets it first. */
export const rarerChanges = [
  ...breaking(kept, {
    "a request property becomes read-only": put(`${agent}/readOnly`, true),
    "the idempotency key is a query parameter": put(`${parameter("IdempotencyKeyParameter")}/in`, "query"),
    "the request body of an operation is removed": remove(`${at.unsubscribeContact}/requestBody`),
  }),
  ...editorial({
    "a response property is marked as read-only": put(`${listName}/readOnly`, true),
    "a response property gets a default": put(`${listName}/default`, "News"),
    "an unspecified item is reworded": put("/x-unspecified/0/text", "More exists."),
    "a component with one use is inlined": inTurn(
      copy(schema("BounceOrNull"), field("Message", "bounce")),
      remove(schema("BounceOrNull")),
    ),
    "a condition gets a description": put(`${schema("ContentSend")}/if/description`, "Without HTML."),
    "a schema that accepts any value gets a description": put(
      `${schema("TemplateVariables")}/additionalProperties`,
      { description: "Anything." },
    ),
    "an unrelated extension is added": put("/x-team", "Mail"),
    "a tag is added": add("/tags", { name: "Later" }),
  }),
  ...additive(clients, {
    "a response property becomes a constant": put(`${field("Bounce", "type")}/const`, "hard"),
    "the operations of a tag require no product any more": remove("/tags/1/x-product"),
    "a requirement is extended to another operation": inRow(
      "/x-requirements/idempotency",
      "id",
      "IDEM-1",
      (row) => add(`${row}/operations`, "getMe"),
    ),
    "the transitions of an unspecified state are specified": removeLast(
      "/x-lifecycles/membership/unspecified",
    ),
    "a lifecycle is added": put("/x-lifecycles/list", { states: ["open"], transitions: [] }),
    "the states of a simulated recipient are specified": put("/x-simulator/recipients/3/states", [
      "sent",
      "rejected",
    ]),
  }),
  ...breaking(type, {
    "the serialization of a parameter changes": put(`${parameter("IdempotencyKeyParameter")}/explode`, true),
  }),
  ...breaking(clients, {
    "a lifecycle is removed": remove("/x-lifecycles/membership"),
    "an unsupported keyword is used": put(`${listName}/contentSchema`, { type: "string" }),
  }),
  ...additive(added, {
    "the version allows fewer additions": removeLast("/x-versioning/added"),
  }),
  ...additive(kept, {
    "the version guarantees more": add("/x-versioning/never", "a limit is lowered"),
  }),
  ...breaking(prefix, {
    "the default base URL changes": put("/servers/0/variables/base_url/default", "https://api.example.org"),
  }),
  ...withEnum(
    additive(clients, {
      "a request enum gets a value": add(`${reason}/enum`, "other"),
      "a request enum is removed": remove(`${reason}/enum`),
    }),
    breaking(clients, {
      "a request enum loses a value": removeLast(`${reason}/enum`),
    }),
  ),
  ...withExtensibleEnum(
    additive(added, {
      "an extensible enum of a request gets a value": add(`${reason}/x-extensible-enum`, "other"),
    }),
    breaking(clients, {
      "an extensible enum of a request loses a value": removeLast(`${reason}/x-extensible-enum`),
    }),
  ),
  ...withConstant(
    breaking(clients, {
      "the constant of a request property changes": put(`${agent}/const`, "phone"),
    }),
    additive(clients, {
      "the constant of a request property is removed": remove(`${agent}/const`),
    }),
  ),
  ...withDefault(
    editorial({
      "the default of a response property changes": put(`${listName}/default`, "Letter"),
      "the default of a response property is removed": remove(`${listName}/default`),
    }),
  ),
  ...given(inTurn(put(`${listName}/maxLength`, 100), remove(`${listName}/x-technical-limit`)))(
    breaking(clients, {
      "a length limit of a response becomes a technical limit": put(`${listName}/x-technical-limit`, true),
    }),
  ),
  ...withCondition(
    breaking(clients, {
      "the condition of a response constraint changes": put(`${schema("Bounce")}/if`, { required: ["c"] }),
    }),
  ),
  ...given(put(`${schema("ContactRequest")}/additionalProperties`, false))(
    additive(clients, {
      "unknown request properties are accepted": remove(`${schema("ContactRequest")}/additionalProperties`),
    }),
  ),
  ...given(put(`${schema("Membership")}/additionalProperties`, false))(
    additive(added, {
      "unknown response properties become possible": remove(`${schema("Membership")}/additionalProperties`),
    }),
  ),
  ...given(remove(`${at.getMe}/operationId`))(
    additive(clients, {
      "an operation gets an operationId": put(`${at.getMe}/operationId`, "getMe"),
    }),
  ),
  ...withParameter(
    additive(clients, {
      "a required parameter becomes optional": put(`${at.listNewsletterLists}/parameters/0/required`, false),
    }),
  ),
  ...given(put(`${at.unsubscribeContact}/requestBody/required`, false))(
    breaking(optional, {
      "an optional request body becomes required": put(`${at.unsubscribeContact}/requestBody/required`, true),
    }),
  ),
  ...withWebhook(
    breaking(clients, {
      "a webhook is removed": remove("/webhooks"),
    }),
  ),
  ...given(put(`${at.cancelEmail}/deprecated`, true))(
    additive(lifetime, {
      "an operation is not deprecated any more": remove(`${at.cancelEmail}/deprecated`),
    }),
  ),
];
