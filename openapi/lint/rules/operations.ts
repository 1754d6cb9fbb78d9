import { errorRows } from "../../../scripts/document/errors.ts";
import { mediaTypes } from "../../../scripts/document/media-types.ts";
import { isIdempotencyKey, operationsOf, parametersOf } from "../../../scripts/document/operations.ts";
import { resolveSchema } from "../../../scripts/document/references.ts";
import { isLeftUnspecified } from "../../../scripts/document/requirements.ts";
import { isSuccess, responsesOf } from "../../../scripts/document/responses.ts";
import { parameters, parametersAndHeaders, schemas } from "../../../scripts/document/schemas.ts";
import {
  entriesOf,
  listOf,
  type Node,
  nodeOf,
  type Path,
  rowsOf,
  textOf,
  textsOf,
} from "../../../scripts/document/values.ts";
import { finding, onlyWhere, type Rule, ruleForEach } from "../rule.ts";

/** Longest summary that still fits the side bar of a reference, in characters. */
const longest = 60;

export const operationComplete = ruleForEach(operationsOf, {
  description: "Every operation has a short summary and a lowerCamelCase operationId.",
  *check({ id: name, operation }) {
    const summary = textOf(operation.summary);
    if (summary.trim() === "") yield `Add a summary to ${name}.`;
    if (summary.length > longest)
      yield `Shorten the summary of ${name} to ${longest} characters: it has ${summary.length}.`;
    if (summary.endsWith(".")) yield `Remove the full stop at the end of the summary of ${name}.`;
    if (!/^[a-z][a-zA-Z0-9]*$/.test(textOf(operation.operationId)))
      yield `Set operationId of ${name} to a lowerCamelCase name.`;
  },
});

const scheme = "bearerAuth";

export const operationNamesAbility = ruleForEach(operationsOf, {
  description: "Every operation names the one ability that its key needs, unless that is unspecified.",
  *check({ id: name, operation, location: path }, document) {
    const requirements = listOf(operation.security).map(nodeOf);
    const [requirement = {}] = requirements;
    if (requirements.length !== 1 || Object.keys(requirement).join() !== scheme) {
      yield `Give ${name} the security \`- ${scheme}: [<ability>]\` and no other.`;
      return;
    }
    const abilities = textsOf(requirement[scheme]);
    const role = [...path, "security", 0, scheme, 0];
    if (abilities.length === 0 && isLeftUnspecified(document, operation, role)) return;
    const place = [...path, "security"];
    if (abilities.length !== 1) yield finding(place, `Name exactly one ability in the security of ${name}.`);
    for (const ability of abilities)
      if (!Object.hasOwn(nodeOf(document["x-abilities"]), ability))
        yield finding(place, `Use an ability of x-abilities in the security of ${name} (got ${ability}).`);
  },
});

const row = "409.idempotency_conflict";

/** The operations of the row 409.idempotency_conflict are the idempotent ones. */
export const idempotentOperationsComplete = ruleForEach(operationsOf, {
  description:
    "An idempotent operation takes Idempotency-Key, returns Idempotent-Replayed and lists 409; others do not.",
  *check(place, document) {
    const { id: name, location: path } = place;
    const listed = errorRows(document).some(({ id, operations }) => id === row && operations.includes(name));
    const key = parametersOf(document, place).find(({ value }) => isIdempotencyKey(value));
    if (listed && key === undefined)
      yield `Add the parameter Idempotency-Key to ${name}: the row ${row} lists it.`;
    if (!listed && key !== undefined)
      yield finding(
        [...path, "parameters"],
        `List ${name} in the row ${row}, or remove its parameter Idempotency-Key.`,
      );
    for (const response of responsesOf(document, place)) {
      const isExpected = listed && isSuccess(response.status);
      const why = "only successful responses of idempotent operations have it";
      yield* onlyWhere(document, response, "Idempotent-Replayed", isExpected, why, false);
    }
  },
});

export const emailParametersEncoded = ruleForEach(parameters, {
  description:
    "An email address in a path has format: email, and its description says that it is percent-encoded.",
  *check({ value }, document) {
    const { name, description, schema, allowReserved } = value;
    if (value.in !== "path" || !/email|address/.test(textOf(name))) return;
    if (!/percent.encoded/i.test(textOf(description)))
      yield `Add to the description of the parameter ${name} that the email address is percent-encoded.`;
    if (resolveSchema(document, schema).format !== "email")
      yield `Set format: email on the schema of the parameter ${name}.`;
    if (allowReserved !== undefined)
      yield `Remove allowReserved from the parameter ${name}: the email address is percent-encoded.`;
  },
});

export const versionedPaths: Rule = {
  description: "Every path begins with the version prefix and is in lower case with dashes.",
  *check(document) {
    const prefix = textOf(nodeOf(document["x-versioning"]).prefix);
    for (const template of Object.keys(nodeOf(document.paths))) {
      const path = ["paths", template];
      if (!template.startsWith(`${prefix}/`))
        yield finding(path, `Change the path ${template} to begin with ${prefix}/.`);
      for (const segment of template.split("/").slice(1))
        if (!/^([a-z0-9-]+|\{[a-z_]+\})$/.test(segment))
          yield finding(path, `Change ${segment} in the path ${template} to lower case with dashes.`);
    }
  },
};

/** A component once for all of its uses. */
const uniqueParametersAndHeaders = (document: Node) =>
  new Map(parametersAndHeaders(document).map((place) => [place.path.join("\n"), place])).values().toArray();

export const parametersAndHeadersDescribed = ruleForEach(uniqueParametersAndHeaders, {
  description: "Every parameter and header has a description and an example.",
  *check({ name, value }) {
    if (textOf(value.description).trim() === "") yield `Add a description to ${name}.`;
    if (value.example === undefined && value.examples === undefined) yield `Add an example to ${name}.`;
  },
});

const places = (document: Node): { path: Path; node: Node; name: string }[] => [
  ...operationsOf(document).map(({ location, operation, id }) => ({
    path: location,
    node: operation,
    name: id,
  })),
  ...parameters(document).map(({ path, value, name }) => ({ path, node: value, name })),
  ...schemas(document).map(({ path, schema, name }) => ({ path, node: schema, name })),
];

export const deprecationComplete = ruleForEach(places, {
  description: "A deprecated operation, parameter or schema has x-deprecated with since and instead.",
  *check({ node, name }) {
    const { since, instead } = nodeOf(node["x-deprecated"]);
    const complete = /^\d{4}-\d{2}-\d{2}$/.test(textOf(since)) && textOf(instead) !== "";
    if (node.deprecated === true && !complete)
      yield `Add x-deprecated with since (YYYY-MM-DD) and instead to ${name}: it is deprecated.`;
    if (node.deprecated !== true && node["x-deprecated"] !== undefined)
      yield `Add deprecated: true to ${name}, or remove its x-deprecated.`;
  },
});

export const serverVariablesPlain: Rule = {
  description: "Server variables have no description: swagger-parser rejects it.",
  *check({ servers }) {
    for (const [index, server] of rowsOf(servers))
      for (const [name, variable] of entriesOf(server.variables))
        if (variable.description !== undefined)
          yield finding(
            ["servers", index, "variables", name, "description"],
            `Move the description of the variable ${name} to that of its server.`,
          );
  },
};

export const jsonOnly = ruleForEach(mediaTypes, {
  description: "Bodies are JSON.",
  *check({ type, name }) {
    if (type !== "application/json") yield `Change the media type ${type} of ${name} to application/json.`;
  },
});
