import { additive, breaking, drop, editorial, follows, operation, schema } from "./change.ts";

const { added, kept, type, optional, clients, lifetime } = follows;

/** Changes of paths, parameters, headers, statuses and abilities. */
export const operationChanges = [
  additive(added, "a path is added", (bundle) => {
    bundle.paths["/api/v1/domains"] = {
      get: {
        operationId: "listDomains",
        tags: ["Account"],
        responses: { "200": { description: "Domains." } },
      },
    };
  }),
  additive(added, "a method is added to a path", (bundle) => {
    bundle.paths["/api/v1/newsletter/contacts/{email}"].delete = {
      operationId: "deleteContact",
      tags: ["Newsletter"],
      parameters: [{ $ref: "#/components/parameters/ContactEmail" }],
      responses: { "204": { description: "Gone." } },
    };
  }),
  breaking(clients, "a path is removed", (bundle) => {
    delete bundle.paths["/api/v1/me"];
  }),
  breaking(clients, "a method is removed", (bundle) => {
    delete bundle.paths["/api/v1/emails/{id}"].patch;
  }),
  breaking(clients, "a path moves to another prefix", (bundle) => {
    bundle.paths["/api/v2/me"] = bundle.paths["/api/v1/me"];
    delete bundle.paths["/api/v1/me"];
  }),
  breaking(clients, "an operationId changes", (bundle) => {
    operation(bundle, "getEmail").operationId = "readEmail";
  }),
  additive(lifetime, "an operation is deprecated", (bundle) => {
    operation(bundle, "cancelEmail").deprecated = true;
  }),
  additive(lifetime, "a property is deprecated", (bundle) => {
    schema(bundle, "Membership").properties.status_description.deprecated = true;
  }),
  additive(added, "an optional query parameter is added", (bundle) => {
    operation(bundle, "listNewsletterLists").parameters = [
      { name: "sort", in: "query", required: false, description: "Order.", schema: { type: "string" } },
    ];
  }),
  additive(added, "an optional request header is added", (bundle) => {
    operation(bundle, "unsubscribeContact").parameters = [
      { $ref: "#/components/parameters/IdempotencyKeyParameter" },
    ];
  }),
  breaking(optional, "a required query parameter is added", (bundle) => {
    operation(bundle, "listNewsletterLists").parameters = [
      { name: "limit", in: "query", required: true, description: "Count.", schema: { type: "integer" } },
    ];
  }),
  breaking(optional, "an optional request header becomes required", (bundle) => {
    bundle.components.parameters.IdempotencyKeyParameter.required = true;
  }),
  breaking(kept, "one operation no longer accepts the idempotency key", (bundle) => {
    operation(bundle, "upsertContact").parameters = [];
  }),
  breaking(kept, "the idempotency key is renamed", (bundle) => {
    bundle.components.parameters.IdempotencyKeyParameter.name = "X-Idempotency-Key";
  }),
  breaking(kept, "the name of a path parameter changes", (bundle) => {
    bundle.paths["/api/v1/emails/{message_id}"] = bundle.paths["/api/v1/emails/{id}"];
    delete bundle.paths["/api/v1/emails/{id}"];
    bundle.components.parameters.MessageIdParameter.name = "message_id";
  }),
  breaking(type, "the type of a path parameter changes", (bundle) => {
    bundle.components.parameters.MessageIdParameter.schema = { type: "integer" };
  }),
  editorial("the case of a request header name changes", (bundle) => {
    bundle.components.parameters.IdempotencyKeyParameter.name = "idempotency-key";
  }),
  additive(clients, "a required request body becomes optional", (bundle) => {
    operation(bundle, "upsertContact").requestBody.required = false;
  }),
  breaking(optional, "an operation without a body gets a required one", (bundle) => {
    operation(bundle, "cancelEmail").requestBody = {
      required: true,
      content: { "application/json": { schema: { type: "object" } } },
    };
  }),
  additive(added, "an operation without a body gets an optional one", (bundle) => {
    operation(bundle, "cancelEmail").requestBody = {
      content: { "application/json": { schema: { type: "object" } } },
    };
  }),
  breaking(clients, "a JSON body is no longer accepted", (bundle) => {
    const { content } = operation(bundle, "upsertContact").requestBody;
    content["text/csv"] = content["application/json"];
    delete content["application/json"];
  }),
  breaking(clients, "a success status changes", (bundle) => {
    const { responses } = operation(bundle, "sendEmail");
    responses["200"] = responses["202"];
    delete responses["202"];
  }),
  breaking(clients, "a second success status is added", (bundle) => {
    const { responses } = operation(bundle, "sendEmail");
    responses["200"] = responses["202"];
  }),
  breaking(clients, "one of two success statuses is removed", (bundle) => {
    delete operation(bundle, "upsertContact").responses["201"];
  }),
  breaking(clients, "a success status becomes unspecified", (bundle) => {
    const { responses } = operation(bundle, "getMe");
    responses["2XX"] = responses["200"];
    delete responses["200"];
  }),
  additive(clients, "an unspecified success status is specified", (bundle) => {
    const { responses } = operation(bundle, "getContact");
    responses["200"] = responses["2XX"];
    delete responses["2XX"];
  }),
  additive(added, "an error status is added", (bundle) => {
    operation(bundle, "getContact").responses["410"] = { $ref: "#/components/responses/ContactNotFound" };
  }),
  breaking(clients, "an error status is removed", (bundle) => {
    delete operation(bundle, "cancelEmail").responses["409"];
  }),
  breaking(clients, "an error status changes", (bundle) => {
    const { responses } = operation(bundle, "sendEmail");
    responses["400"] = responses["422"];
    delete responses["422"];
  }),
  breaking(clients, "the gateway response 405 is removed", (bundle) => {
    delete bundle["x-gateway-responses"]["405"];
    delete bundle.components.responses.MethodNotAllowed;
  }),
  additive(added, "a header is added to one response", (bundle) => {
    operation(bundle, "getMe").responses["200"].headers["X-Key-Ends"] = { schema: { type: "string" } };
  }),
  additive(added, "a required header is added to error responses", (bundle) => {
    bundle.components.responses.Unauthorized.headers["WWW-Authenticate"] = {
      required: true,
      schema: { type: "string" },
    };
  }),
  breaking(kept, "a required response header is removed", (bundle) => {
    delete operation(bundle, "sendEmail").responses["202"].headers["X-Service-Monthly-Quota"];
  }),
  breaking(kept, "an optional response header is removed", (bundle) => {
    delete operation(bundle, "sendBatch").responses["2XX"].headers["Idempotent-Replayed"];
  }),
  breaking(kept, "a response header is renamed", (bundle) => {
    const { headers } = bundle.components.responses.RateLimited;
    headers["X-Retry-After"] = headers["Retry-After"];
    delete headers["Retry-After"];
  }),
  breaking(kept, "a required response header becomes optional", (bundle) => {
    bundle.components.headers.ServiceRequestId.required = false;
  }),
  additive(clients, "an optional response header becomes required", (bundle) => {
    bundle.components.headers.OptionalRetryAfter.required = true;
  }),
  breaking(type, "the type of a response header changes", (bundle) => {
    bundle.components.headers.RetryAfter.schema = { type: "string" };
  }),
  breaking(type, "the type of a counting header changes", (bundle) => {
    bundle.components.headers.RateLimitRemaining.schema = { type: "string", format: "date-time" };
  }),
  breaking(clients, "a value is added to the enum of a response header", (bundle) => {
    bundle.components.headers.IdempotentReplayed.schema.enum.push("false");
  }),
  breaking(kept, "the responses of one operation lose a header", (bundle) => {
    drop(bundle.components.headers.MonthlyQuota["x-operations"], "sendBatch");
  }),
  additive(added, "the responses of another operation get a header", (bundle) => {
    bundle.components.headers.MonthlyQuota["x-operations"].push("getMe");
  }),
  breaking(clients, "an operation requires another ability", (bundle) => {
    operation(bundle, "listNewsletterLists").security = [{ bearerAuth: ["newsletter:manage"] }];
  }),
  breaking(clients, "an operation requires a second ability", (bundle) => {
    operation(bundle, "sendEmail").security[0].bearerAuth.push("domains:read");
  }),
  breaking(clients, "an operation for any key requires an ability", (bundle) => {
    operation(bundle, "getMe").security[0].bearerAuth.push("billing:read");
  }),
  additive(clients, "an operation requires no ability any more", (bundle) => {
    operation(bundle, "listNewsletterLists").security = [{ bearerAuth: [] }];
  }),
  additive(clients, "an operation accepts another ability as well", (bundle) => {
    operation(bundle, "listNewsletterLists").security.push({ bearerAuth: ["newsletter:manage"] });
  }),
  breaking(clients, "the authentication scheme changes", (bundle) => {
    bundle.components.securitySchemes.bearerAuth.scheme = "basic";
  }),
  breaking(clients, "a second authentication scheme is required", (bundle) => {
    bundle.components.securitySchemes.account = { type: "apiKey", in: "header", name: "X-Account" };
    operation(bundle, "sendEmail").security[0].account = [];
  }),
  breaking(clients, "an operation moves to the tag of another product", (bundle) => {
    operation(bundle, "getMe").tags = ["Newsletter"];
  }),
  editorial("a link of an operation is removed", (bundle) => {
    delete operation(bundle, "sendEmail").responses["202"].links.getEmail;
  }),
  editorial("the description of an operation is reworded", (bundle) => {
    operation(bundle, "getEmail").description = "Tells what became of it.";
  }),
  editorial("the summary of an operation is reworded", (bundle) => {
    operation(bundle, "getEmail").summary = "Look up one message";
  }),
  editorial("the description of a property is reworded", (bundle) => {
    schema(bundle, "Membership").properties.email.description = "The address.";
  }),
  editorial("an example of a response changes", (bundle) => {
    bundle.components.examples.MessageSent.value.subject = "Another";
  }),
  editorial("an example is added to a request", (bundle) => {
    operation(bundle, "sendEmail").requestBody.content["application/json"].examples.other = { value: {} };
  }),
  editorial("the title of a schema changes", (bundle) => {
    schema(bundle, "Membership").title = "Membership of a list";
  }),
  editorial("the required properties of a response are reordered", (bundle) => {
    schema(bundle, "Membership").required.reverse();
  }),
];
