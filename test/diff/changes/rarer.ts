import {
  allowed,
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

const withSet = given((bundle) => {
  reason(bundle).enum = ["spam", "seldom"];
});
const withKnown = given((bundle) => {
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
const withNotification = given((bundle) => {
  const answers = { "200": { description: "Taken." } };
  bundle.webhooks = { delivered: { post: { operationId: "onDelivered", responses: answers } } };
});
const withCondition = given((bundle) => {
  schema(bundle, "Bounce").if = { required: ["a"] };
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  schema(bundle, "Bounce").then = { required: ["b"] };
});

/** Changes of what this contract has no example of, or has seldom; where it has none, the older document gets one. */
export const rarerChanges = [
  breaking(kept, "a request field can only be read", (bundle) => {
    agent(bundle).readOnly = true;
  }),
  editorial("an answer field is marked as one that is only read", (bundle) => {
    listName(bundle).readOnly = true;
  }),
  withSet(allowed(clients, "a closed set of a request grows", (bundle) => reason(bundle).enum.push("other"))),
  withSet(breaking(clients, "a closed set of a request shrinks", (bundle) => reason(bundle).enum.pop())),
  withSet(
    allowed(clients, "a closed set of a request is opened", (bundle) => {
      delete reason(bundle).enum;
    }),
  ),
  withKnown(
    allowed(added, "an open set of a request grows", (bundle) =>
      reason(bundle)["x-extensible-enum"].push("other"),
    ),
  ),
  withKnown(
    breaking(clients, "an open set of a request shrinks", (bundle) =>
      reason(bundle)["x-extensible-enum"].pop(),
    ),
  ),
  withConstant(
    breaking(clients, "a request field must be another value", (bundle) => {
      agent(bundle).const = "phone";
    }),
  ),
  withConstant(
    allowed(clients, "a request field may be any value", (bundle) => {
      delete agent(bundle).const;
    }),
  ),
  allowed(clients, "an answer field is always the same", (bundle) => {
    schema(bundle, "Bounce").properties.type.const = "hard";
  }),
  editorial("an answer field gets a default", (bundle) => {
    listName(bundle).default = "News";
  }),
  withDefault(
    editorial("the default of an answer field changes", (bundle) => {
      listName(bundle).default = "Letter";
    }),
  ),
  withDefault(
    editorial("the default of an answer field is removed", (bundle) => {
      delete listName(bundle).default;
    }),
  ),
  given((bundle) => {
    listName(bundle).maxLength = 100;
    delete listName(bundle)["x-technical-limit"];
  })(
    breaking(clients, "a promised length of an answer is a technical bound now", (bundle) => {
      listName(bundle)["x-technical-limit"] = true;
    }),
  ),
  withCondition(
    breaking(clients, "the condition of a rule for answers is another", (bundle) => {
      schema(bundle, "Bounce").if = { required: ["c"] };
    }),
  ),
  given((bundle) => {
    schema(bundle, "ContactRequest").additionalProperties = false;
  })(
    allowed(clients, "unknown request fields are taken", (bundle) => {
      delete schema(bundle, "ContactRequest").additionalProperties;
    }),
  ),
  given((bundle) => {
    schema(bundle, "Membership").additionalProperties = false;
  })(
    allowed(added, "answers are opened", (bundle) => {
      delete schema(bundle, "Membership").additionalProperties;
    }),
  ),
  given((bundle) => {
    delete operation(bundle, "getMe").operationId;
  })(
    allowed(clients, "an operation gets an id", (bundle) => {
      operation(bundle, "getMe").operationId = "getMe";
    }),
  ),
  breaking(kept, "the idempotency key is a query parameter", (bundle) => {
    bundle.components.parameters.IdempotencyKey.in = "query";
  }),
  breaking(type, "a parameter is written in another way", (bundle) => {
    bundle.components.parameters.IdempotencyKey.explode = true;
  }),
  withParameter(
    allowed(clients, "a required parameter may be left out", (bundle) => {
      operation(bundle, "listNewsletterLists").parameters[0].required = false;
    }),
  ),
  breaking(kept, "an operation has no body any more", (bundle) => {
    delete operation(bundle, "unsubscribeContact").requestBody;
  }),
  given((bundle) => {
    operation(bundle, "unsubscribeContact").requestBody.required = false;
  })(
    breaking(optional, "a body that could be left out is required", (bundle) => {
      operation(bundle, "unsubscribeContact").requestBody.required = true;
    }),
  ),
  allowed(clients, "the calls of a tag need no product any more", (bundle) => {
    delete bundle.tags[1]["x-product"];
  }),
  allowed(clients, "a promise holds for one operation more", (bundle) => {
    row(bundle["x-requirements"].idempotency, "IDEM-1").operations.push("getMe");
  }),
  editorial("an open place is described in other words", (bundle) => {
    bundle["x-unspecified"][0].text = "More exists.";
  }),
  allowed(clients, "it is said of a state what leads to it", (bundle) => {
    bundle["x-lifecycles"].membership.unspecified.pop();
  }),
  allowed(clients, "a life is told", (bundle) => {
    bundle["x-lifecycles"].list = { states: ["open"], transitions: [] };
  }),
  breaking(clients, "a life is told no more", (bundle) => {
    delete bundle["x-lifecycles"].membership;
  }),
  allowed(clients, "it is told where a simulated recipient ends", (bundle) => {
    bundle["x-simulator"].recipients[3].states = ["sent", "rejected"];
  }),
  allowed(added, "the version adds less", (bundle) => bundle["x-versioning"].added.pop()),
  allowed(kept, "the version rules out more", (bundle) =>
    bundle["x-versioning"].never.push("a limit is lowered"),
  ),
  breaking(prefix, "the service has another address", (bundle) => {
    bundle.servers[0].variables.base_url.default = "https://api.example.org";
  }),
  withNotification(
    breaking(clients, "a notification is not sent any more", (bundle) => {
      delete bundle.webhooks;
    }),
  ),
  given((bundle) => {
    operation(bundle, "cancelEmail").deprecated = true;
  })(
    allowed(lifetime, "an operation is not deprecated any more", (bundle) => {
      delete operation(bundle, "cancelEmail").deprecated;
    }),
  ),
  editorial("a part that one place refers to is written there", (bundle) => {
    schema(bundle, "Message").properties.bounce = schema(bundle, "BounceOrNull");
    delete bundle.components.schemas.BounceOrNull;
  }),
  editorial("the condition of a rule is described", (bundle) => {
    schema(bundle, "ContentSend").if.description = "Without HTML.";
  }),
  editorial("values of any kind are described", (bundle) => {
    schema(bundle, "TemplateVariables").additionalProperties = { description: "Anything." };
  }),
  editorial("an extension that says nothing of the service is added", (bundle) => {
    bundle["x-team"] = "Mail";
  }),
  editorial("a group of operations is added", (bundle) => bundle.tags.push({ name: "Later" })),
  breaking(clients, "a keyword is used that no comparison knows", (bundle) => {
    listName(bundle).contentSchema = { type: "string" };
  }),
];
