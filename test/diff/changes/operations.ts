import { allowed, breaking, drop, editorial, follows, operation, schema } from "./change.ts";

const { added, kept, type, optional, clients, lifetime } = follows;

/** Changes of addresses, parameters, headers, statuses and abilities. */
export const operationChanges = [
  allowed(added, "an address is added", (bundle) => {
    bundle.paths["/api/v1/domains"] = {
      get: {
        operationId: "listDomains",
        tags: ["Account"],
        responses: { "200": { description: "Domains." } },
      },
    };
  }),
  allowed(added, "a method is added to an address", (bundle) => {
    bundle.paths["/api/v1/newsletter/contacts/{email}"].delete = {
      operationId: "deleteContact",
      tags: ["Newsletter"],
      parameters: [{ $ref: "#/components/parameters/ContactEmail" }],
      responses: { "204": { description: "Gone." } },
    };
  }),
  breaking(clients, "an address is removed", (bundle) => {
    delete bundle.paths["/api/v1/me"];
  }),
  breaking(clients, "a method is removed", (bundle) => {
    delete bundle.paths["/api/v1/emails/{id}"].patch;
  }),
  breaking(clients, "an address is moved under another prefix", (bundle) => {
    bundle.paths["/api/v2/me"] = bundle.paths["/api/v1/me"];
    delete bundle.paths["/api/v1/me"];
  }),
  breaking(clients, "an operation has another id", (bundle) => {
    operation(bundle, "getEmail").operationId = "readEmail";
  }),
  allowed(lifetime, "an operation is deprecated", (bundle) => {
    operation(bundle, "cancelEmail").deprecated = true;
  }),
  allowed(lifetime, "a field is deprecated", (bundle) => {
    schema(bundle, "Membership").properties.status_description.deprecated = true;
  }),
  allowed(added, "an optional query parameter is added", (bundle) => {
    operation(bundle, "listNewsletterLists").parameters = [
      { name: "sort", in: "query", required: false, description: "Order.", schema: { type: "string" } },
    ];
  }),
  allowed(added, "an optional request header is added", (bundle) => {
    operation(bundle, "unsubscribeContact").parameters = [{ $ref: "#/components/parameters/IdempotencyKey" }];
  }),
  breaking(optional, "a required query parameter is added", (bundle) => {
    operation(bundle, "listNewsletterLists").parameters = [
      { name: "limit", in: "query", required: true, description: "Count.", schema: { type: "integer" } },
    ];
  }),
  breaking(optional, "an optional request header is made required", (bundle) => {
    bundle.components.parameters.IdempotencyKey.required = true;
  }),
  breaking(kept, "the idempotency key is not taken by one operation any more", (bundle) => {
    operation(bundle, "upsertContact").parameters = [];
  }),
  breaking(kept, "the idempotency key has another name", (bundle) => {
    bundle.components.parameters.IdempotencyKey.name = "X-Idempotency-Key";
  }),
  breaking(kept, "the name of a path parameter changes", (bundle) => {
    bundle.paths["/api/v1/emails/{message_id}"] = bundle.paths["/api/v1/emails/{id}"];
    delete bundle.paths["/api/v1/emails/{id}"];
    bundle.components.parameters.MessageId.name = "message_id";
  }),
  breaking(type, "the type of a path parameter changes", (bundle) => {
    bundle.components.parameters.MessageId.schema = { type: "integer" };
  }),
  editorial("the spelling of a request header changes", (bundle) => {
    bundle.components.parameters.IdempotencyKey.name = "idempotency-key";
  }),
  allowed(clients, "a body may be left out that was required", (bundle) => {
    operation(bundle, "unsubscribeContact").requestBody.required = false;
  }),
  breaking(optional, "an operation without a body asks for one", (bundle) => {
    operation(bundle, "cancelEmail").requestBody = {
      required: true,
      content: { "application/json": { schema: { type: "object" } } },
    };
  }),
  allowed(added, "an operation without a body may have one", (bundle) => {
    operation(bundle, "cancelEmail").requestBody = {
      content: { "application/json": { schema: { type: "object" } } },
    };
  }),
  breaking(clients, "a body of JSON is not taken any more", (bundle) => {
    const { content } = operation(bundle, "upsertContact").requestBody;
    content["text/csv"] = content["application/json"];
    delete content["application/json"];
  }),
  breaking(clients, "a success has another status", (bundle) => {
    const { responses } = operation(bundle, "sendEmail");
    responses["200"] = responses["202"];
    delete responses["202"];
  }),
  breaking(clients, "a success may have one status more", (bundle) => {
    const { responses } = operation(bundle, "sendEmail");
    responses["200"] = responses["202"];
  }),
  breaking(clients, "one of two success statuses is gone", (bundle) => {
    delete operation(bundle, "upsertContact").responses["201"];
  }),
  breaking(clients, "a success status is not specified any more", (bundle) => {
    const { responses } = operation(bundle, "getMe");
    responses["2XX"] = responses["200"];
    delete responses["200"];
  }),
  allowed(clients, "an unspecified success status is told", (bundle) => {
    const { responses } = operation(bundle, "getContact");
    responses["200"] = responses["2XX"];
    delete responses["2XX"];
  }),
  allowed(added, "an operation may fail with a status more", (bundle) => {
    operation(bundle, "getContact").responses["410"] = { $ref: "#/components/responses/ContactNotFound" };
  }),
  breaking(clients, "an operation fails with a status less", (bundle) => {
    delete operation(bundle, "cancelEmail").responses["409"];
  }),
  breaking(clients, "an error status is another", (bundle) => {
    const { responses } = operation(bundle, "sendEmail");
    responses["400"] = responses["422"];
    delete responses["422"];
  }),
  breaking(clients, "the shared 405 is gone", (bundle) => {
    delete bundle["x-gateway-responses"]["405"];
    delete bundle.components.responses.MethodNotAllowed;
  }),
  allowed(added, "an answer header is added to one answer", (bundle) => {
    operation(bundle, "getMe").responses["200"].headers["X-Key-Ends"] = { schema: { type: "string" } };
  }),
  allowed(added, "an answer header that is always there is added to errors", (bundle) => {
    bundle.components.responses.Unauthorized.headers["WWW-Authenticate"] = {
      required: true,
      schema: { type: "string" },
    };
  }),
  breaking(kept, "an answer header is removed", (bundle) => {
    delete operation(bundle, "sendEmail").responses["202"].headers["X-Service-Monthly-Quota"];
  }),
  breaking(kept, "an optional answer header is removed", (bundle) => {
    delete operation(bundle, "sendBatch").responses["2XX"].headers["Idempotent-Replayed"];
  }),
  breaking(kept, "an answer header is renamed", (bundle) => {
    const { headers } = bundle.components.responses.RateLimited;
    headers["X-Retry-After"] = headers["Retry-After"];
    delete headers["Retry-After"];
  }),
  breaking(kept, "an answer header may be missing", (bundle) => {
    bundle.components.headers.RequestId.required = false;
  }),
  allowed(clients, "an answer header is always there", (bundle) => {
    bundle.components.headers.OptionalRetryAfter.required = true;
  }),
  breaking(type, "the type of an answer header changes", (bundle) => {
    bundle.components.headers.RetryAfter.schema = { type: "string" };
  }),
  breaking(type, "the type of a counting header changes", (bundle) => {
    bundle.components.headers.RateLimitRemaining.schema = { type: "string", format: "date-time" };
  }),
  breaking(clients, "the value of an answer header is added to its closed set", (bundle) => {
    bundle.components.headers.IdempotentReplayed.schema.enum.push("false");
  }),
  breaking(kept, "one operation's answers lose a header", (bundle) => {
    drop(bundle.components.headers.MonthlyQuota["x-operations"], "sendBatch");
  }),
  allowed(added, "one more operation's answers have a header", (bundle) => {
    bundle.components.headers.MonthlyQuota["x-operations"].push("getMe");
  }),
  breaking(clients, "an operation asks for another ability", (bundle) => {
    operation(bundle, "listNewsletterLists").security = [{ bearerAuth: ["newsletter:manage"] }];
  }),
  breaking(clients, "an operation asks for one ability more", (bundle) => {
    operation(bundle, "sendEmail").security[0].bearerAuth.push("domains:read");
  }),
  breaking(clients, "an operation that any key may call asks for an ability", (bundle) => {
    operation(bundle, "getMe").security[0].bearerAuth.push("billing:read");
  }),
  allowed(clients, "an operation asks for no ability any more", (bundle) => {
    operation(bundle, "listNewsletterLists").security = [{ bearerAuth: [] }];
  }),
  allowed(clients, "an operation may be called with another ability instead", (bundle) => {
    operation(bundle, "listNewsletterLists").security.push({ bearerAuth: ["newsletter:manage"] });
  }),
  breaking(clients, "keys are sent in another way", (bundle) => {
    bundle.components.securitySchemes.bearerAuth.scheme = "basic";
  }),
  breaking(clients, "keys are sent in another way too, both at once", (bundle) => {
    bundle.components.securitySchemes.account = { type: "apiKey", in: "header", name: "X-Account" };
    operation(bundle, "sendEmail").security[0].account = [];
  }),
  breaking(clients, "an operation moves to a tag of another product", (bundle) => {
    operation(bundle, "getMe").tags = ["Newsletter"];
  }),
  editorial("an operation has a link less", (bundle) => {
    delete operation(bundle, "sendEmail").responses["202"].links.getEmail;
  }),
  editorial("an operation is described in other words", (bundle) => {
    operation(bundle, "getEmail").description = "Tells what became of it.";
  }),
  editorial("an operation has another summary", (bundle) => {
    operation(bundle, "getEmail").summary = "Look up one message";
  }),
  editorial("a field is described in other words", (bundle) => {
    schema(bundle, "Membership").properties.email.description = "The address.";
  }),
  editorial("an example of an answer is another", (bundle) => {
    bundle.components.examples.MessageSent.value.subject = "Another";
  }),
  editorial("an example is added to a request", (bundle) => {
    operation(bundle, "sendEmail").requestBody.content["application/json"].examples.other = { value: {} };
  }),
  editorial("the title of a schema is another", (bundle) => {
    schema(bundle, "Membership").title = "Membership of a list";
  }),
  editorial("the fields of an answer are in another order", (bundle) => {
    schema(bundle, "Membership").required.reverse();
  }),
];
