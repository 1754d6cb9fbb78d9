import { operationsOf } from "../../../scripts/document/operations.ts";
import { resolveSchema } from "../../../scripts/document/references.ts";
import { requestFields } from "../../../scripts/document/requests.ts";
import { keywordsIn, schemas, subSchemas } from "../../../scripts/document/schemas.ts";
import { isNode, listOf, nodeOf, textOf, textsOf } from "../../../scripts/document/values.ts";
import { finding, type Rule, ruleForEach } from "../rule.ts";

export const singleTypes = ruleForEach(keywordsIn("type"), {
  description: "A schema has one type, or one type and null: generators support no other list of types.",
  *check({ value, name }) {
    if (listOf(value).filter((type) => type !== "null").length > 1)
      yield `Write oneOf with a schema for each type instead of the list of types of ${name}.`;
  },
});

/** Keywords after draft 7, which the mock and several renderers silently ignore. */
const unknown = [
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedProperties",
  "unevaluatedItems",
  "prefixItems",
  "minContains",
  "maxContains",
  "$dynamicRef",
];

export const keywordsSupportedByMocks: Rule = {
  description: "Schemas use no keyword that mocks and renderers silently ignore.",
  *check(document) {
    if (document.jsonSchemaDialect !== undefined)
      yield finding(["jsonSchemaDialect"], "Remove jsonSchemaDialect: it makes the mock accept everything.");
    for (const { path, keyword, value, name } of keywordsIn(...unknown)(document))
      if (value !== false)
        yield finding(
          path,
          `Replace ${keyword} of ${name} by if, then, not, required or items: mocks ignore it.`,
        );
  },
};

export const nestedObjectsNamed = ruleForEach(schemas, {
  description: "An object inside another schema is a component: generators invent a name for an inline one.",
  *check({ path, schema, name, condition }) {
    const isComponent = path.length === 3 && path[0] === "components" && path[1] === "schemas";
    if (!condition && !isComponent && (schema.type === "object" || schema.properties !== undefined))
      yield `Move ${name} to a file in openapi/schemas/ and refer to it.`;
  },
});

/** Keywords whose boolean every tool takes. */
const usual = new Set(["additionalProperties", "unevaluatedProperties", "unevaluatedItems"]);

export const noBooleanSubschemas = ruleForEach(schemas, {
  description: "No subschema is a boolean: tools that compare documents reject it.",
  *check({ path, schema }) {
    for (const part of subSchemas(schema)) {
      if (typeof part.schema !== "boolean" || usual.has(String(part.path[0]))) continue;
      const message = part.schema
        ? `Write {} instead of true at ${part.path.join(".")}.`
        : `Write not: { required: [...] } on the object instead of false at ${part.path.join(".")}.`;
      yield finding([...path, ...part.path], message);
    }
  },
});

export const noRootPropertiesBesideVariants = ruleForEach(schemas, {
  description: "A schema has variants or properties, not both: several renderers would drop the properties.",
  *check({ schema, name, condition }) {
    for (const keyword of ["oneOf", "anyOf"])
      if (!condition && schema.properties !== undefined && schema[keyword] !== undefined)
        yield `Move the properties of ${name} into each schema of its ${keyword}.`;
  },
});

export const requiredPropertiesDeclared = ruleForEach(keywordsIn("required"), {
  description: "Every required property is declared in properties.",
  *check({ value, schema, name, condition }) {
    for (const field of condition ? [] : textsOf(listOf(value)))
      if (!Object.hasOwn(nodeOf(schema.properties), field))
        yield `Add the property ${field} to ${name}, or remove it from required.`;
  },
});

export const snakeCaseProperties = ruleForEach(schemas, {
  description: "Property names are snake_case.",
  *check({ property, name }) {
    if (property !== undefined && !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(property))
      yield `Change the name of ${name} to snake_case.`;
  },
});

export const propertiesDescribed = ruleForEach(schemas, {
  description: "Every property and every named schema has a description.",
  *check({ path, schema, name, property, condition }, document) {
    const named = path.length === 3 && path[1] === "schemas";
    if (condition || (property === undefined && !named)) return;
    if (textOf(resolveSchema(document, schema).description).trim() === "")
      yield `Add a description to ${name}.`;
  },
});

export const titlesMatchNames = ruleForEach(keywordsIn("title"), {
  description: "The title of a component is its name: generators name types after either.",
  *check({ path, value, name }) {
    const isComponent = path.length === 4 && path[1] === "schemas";
    if (!isComponent) yield `Remove the title of ${name}, which is not a component.`;
    else if (value !== name) yield `Make the title of ${name} its name, or remove it.`;
  },
});

export const variantsInRequestsOnly = ruleForEach(keywordsIn("oneOf", "anyOf"), {
  description:
    "Responses have no variants of objects: several generators merge them, or read a response as the first one.",
  *check({ keyword, value, name, condition, uses }, document) {
    if (condition || !uses.has("response")) return;
    const objects = listOf(value).filter((one) => {
      const { type, properties } = resolveSchema(document, one);
      return type === "object" || properties !== undefined;
    });
    if (objects.length > 1)
      yield `Write ${name} as one object instead of ${keyword}, with if, then and else for what differs.`;
  },
});

const keyword = "x-variant-by-request";

export const responseVariantsDecided = ruleForEach(schemas, {
  description: "The request decides which properties a response has if they differ (x-variant-by-request).",
  *check({ path, schema, name, condition, uses }, document) {
    if (condition || !uses.has("response")) return;
    const property = schema[keyword];
    if (property === undefined) {
      if (schema.then !== undefined || schema.else !== undefined)
        yield `Add ${keyword} to ${name}, so that no response is valid as the variant for another request.`;
      return;
    }
    if (!operationsOf(document).some((one) => requestFields(document, one).has(textOf(property))))
      yield finding([...path, keyword], `Set ${keyword} of ${name} to a field of a request.`);
    const required = listOf(nodeOf(schema.if).required);
    if (required.length !== 1 || required[0] !== property)
      yield finding(
        [...path, keyword],
        `Make the condition of ${name} if: { required: [${property}] }, as its ${keyword} says.`,
      );
  },
});

export const requestsAllowMoreProperties = ruleForEach(
  keywordsIn("additionalProperties", "unevaluatedProperties"),
  {
    description:
      "Objects in requests do not reject unknown properties: what the service does with them is unspecified.",
    *check({ keyword, value, name, uses }) {
      if (value === false && uses.has("request"))
        yield `Remove ${keyword} from ${name}: what the service does with unknown properties is unspecified.`;
    },
  },
);

export const responsesAllowMoreProperties = ruleForEach(schemas, {
  description:
    "Objects in responses say that they allow more properties, which may be added within the version.",
  *check({ path, schema, name, condition, uses }) {
    if (uses.has("request") && !uses.has("response")) return;
    const { additionalProperties: more, unevaluatedProperties } = schema;
    if (unevaluatedProperties === false)
      yield finding(
        [...path, "unevaluatedProperties"],
        `Remove unevaluatedProperties from ${name}: responses may have more properties at any time.`,
      );
    // Some generators take an absent keyword for false.
    const isObject = schema.type === "object" && !condition;
    if (more === false || (isObject && more !== true && !isNode(more)))
      yield `Set additionalProperties of ${name} to true: responses may have more properties at any time.`;
  },
});
