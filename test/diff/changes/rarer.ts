import {
  additive,
  breaking,
  type Editable,
  editorial,
  follows,
  given,
  operation,
  row,
  schema,
} from "./change.ts";

const { prefix, added, kept, type, optional, clients, lifetime } = follows;

const reason = (bundle: Editable): Editable => schema(bundle, "UnsubscribeRequest").properties.reason;
const agent = (bundle: Editable): Editable => schema(bundle, "Consent").properties.user_agent;
const listName = (bundle: Editable): Editable => schema(bundle, "NewsletterList").properties.name;

const withEnum = given((bundle) => {
  reason(bundle).enum = ["spam", "seldom"];
});
const withExtensibleEnum = given((bundle) => {
  reason(bundle)["x-extensible-enum"] = ["spam", "seldom"];
});
const withConstant = given((bundle) => {
  agent(bundle).const = "web";
});
const withDefault = given((bundle) => {
  listName(bundle).default = "News";
});
const withParameter = given((bundle) => {
  operation(bundle, "listNewsletterLists").parameters = [
    { name: "sort", in: "query", required: true, schema: { type: "string" } },
  ];
});
const withWebhook = given((bundle) => {
  const responses = { "200": { description: "Accepted." } };
  bundle.webhooks = { delivered: { post: { operationId: "onDelivered", responses } } };
});
const withCondition = given((bundle) => {
  schema(bundle, "Bounce").if = { required: ["a"] };
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  schema(bundle, "Bounce").then = { required: ["b"] };
});

/** Changes of what this contract uses rarely. If it does not use something at all, the base gets it first. */
export const rarerChanges = [
  breaking(kept, "a request property becomes read-only", (bundle) => {
    agent(bundle).readOnly = true;
  }),
  editorial("a response property is marked as read-only", (bundle) => {
    listName(bundle).readOnly = true;
  }),
  withEnum(additive(clients, "a request enum gets a value", (bundle) => reason(bundle).enum.push("other"))),
  withEnum(breaking(clients, "a request enum loses a value", (bundle) => reason(bundle).enum.pop())),
  withEnum(
    additive(clients, "a request enum is removed", (bundle) => {
      delete reason(bundle).enum;
    }),
  ),
  withExtensibleEnum(
    additive(added, "an extensible enum of a request gets a value", (bundle) =>
      reason(bundle)["x-extensible-enum"].push("other"),
    ),
  ),
  withExtensibleEnum(
    breaking(clients, "an extensible enum of a request loses a value", (bundle) =>
      reason(bundle)["x-extensible-enum"].pop(),
    ),
  ),
  withConstant(
    breaking(clients, "the constant of a request property changes", (bundle) => {
      agent(bundle).const = "phone";
    }),
  ),
  withConstant(
    additive(clients, "the constant of a request property is removed", (bundle) => {
      delete agent(bundle).const;
    }),
  ),
  additive(clients, "a response property becomes a constant", (bundle) => {
    schema(bundle, "Bounce").properties.type.const = "hard";
  }),
  editorial("a response property gets a default", (bundle) => {
    listName(bundle).default = "News";
  }),
  withDefault(
    editorial("the default of a response property changes", (bundle) => {
      listName(bundle).default = "Letter";
    }),
  ),
  withDefault(
    editorial("the default of a response property is removed", (bundle) => {
      delete listName(bundle).default;
    }),
  ),
  given((bundle) => {
    listName(bundle).maxLength = 100;
    delete listName(bundle)["x-technical-limit"];
  })(
    breaking(clients, "a length limit of a response becomes a technical limit", (bundle) => {
      listName(bundle)["x-technical-limit"] = true;
    }),
  ),
  withCondition(
    breaking(clients, "the condition of a response constraint changes", (bundle) => {
      schema(bundle, "Bounce").if = { required: ["c"] };
    }),
  ),
  given((bundle) => {
    schema(bundle, "ContactRequest").additionalProperties = false;
  })(
    additive(clients, "unknown request properties are accepted", (bundle) => {
      delete schema(bundle, "ContactRequest").additionalProperties;
    }),
  ),
  given((bundle) => {
    schema(bundle, "Membership").additionalProperties = false;
  })(
    additive(added, "unknown response properties become possible", (bundle) => {
      delete schema(bundle, "Membership").additionalProperties;
    }),
  ),
  given((bundle) => {
    delete operation(bundle, "getMe").operationId;
  })(
    additive(clients, "an operation gets an operationId", (bundle) => {
      operation(bundle, "getMe").operationId = "getMe";
    }),
  ),
  breaking(kept, "the idempotency key is a query parameter", (bundle) => {
    bundle.components.parameters.IdempotencyKeyParameter.in = "query";
  }),
  breaking(type, "the serialization of a parameter changes", (bundle) => {
    bundle.components.parameters.IdempotencyKeyParameter.explode = true;
  }),
  withParameter(
    additive(clients, "a required parameter becomes optional", (bundle) => {
      operation(bundle, "listNewsletterLists").parameters[0].required = false;
    }),
  ),
  breaking(kept, "the request body of an operation is removed", (bundle) => {
    delete operation(bundle, "unsubscribeContact").requestBody;
  }),
  given((bundle) => {
    operation(bundle, "unsubscribeContact").requestBody.required = false;
  })(
    breaking(optional, "an optional request body becomes required", (bundle) => {
      operation(bundle, "unsubscribeContact").requestBody.required = true;
    }),
  ),
  additive(clients, "the operations of a tag require no product any more", (bundle) => {
    delete bundle.tags[1]["x-product"];
  }),
  additive(clients, "a requirement is extended to another operation", (bundle) => {
    row(bundle["x-requirements"].idempotency, "IDEM-1").operations.push("getMe");
  }),
  editorial("an unspecified item is reworded", (bundle) => {
    bundle["x-unspecified"][0].text = "More exists.";
  }),
  additive(clients, "the transitions of an unspecified state are specified", (bundle) => {
    bundle["x-lifecycles"].membership.unspecified.pop();
  }),
  additive(clients, "a lifecycle is added", (bundle) => {
    bundle["x-lifecycles"].list = { states: ["open"], transitions: [] };
  }),
  breaking(clients, "a lifecycle is removed", (bundle) => {
    delete bundle["x-lifecycles"].membership;
  }),
  additive(clients, "the states of a simulated recipient are specified", (bundle) => {
    bundle["x-simulator"].recipients[3].states = ["sent", "rejected"];
  }),
  additive(added, "the version allows fewer additions", (bundle) => bundle["x-versioning"].added.pop()),
  additive(kept, "the version guarantees more", (bundle) =>
    bundle["x-versioning"].never.push("a limit is lowered"),
  ),
  breaking(prefix, "the default base URL changes", (bundle) => {
    bundle.servers[0].variables.base_url.default = "https://api.example.org";
  }),
  withWebhook(
    breaking(clients, "a webhook is removed", (bundle) => {
      delete bundle.webhooks;
    }),
  ),
  given((bundle) => {
    operation(bundle, "cancelEmail").deprecated = true;
  })(
    additive(lifetime, "an operation is not deprecated any more", (bundle) => {
      delete operation(bundle, "cancelEmail").deprecated;
    }),
  ),
  editorial("a component with one use is inlined", (bundle) => {
    schema(bundle, "Message").properties.bounce = schema(bundle, "BounceOrNull");
    delete bundle.components.schemas.BounceOrNull;
  }),
  editorial("a condition gets a description", (bundle) => {
    schema(bundle, "ContentSend").if.description = "Without HTML.";
  }),
  editorial("a schema that accepts any value gets a description", (bundle) => {
    schema(bundle, "TemplateVariables").additionalProperties = { description: "Anything." };
  }),
  editorial("an unrelated extension is added", (bundle) => {
    bundle["x-team"] = "Mail";
  }),
  editorial("a tag is added", (bundle) => bundle.tags.push({ name: "Later" })),
  breaking(clients, "an unsupported keyword is used", (bundle) => {
    listName(bundle).contentSchema = { type: "string" };
  }),
];
