import { errorExamples, errorRows, rowsFor } from "../../../scripts/document/errors.ts";
import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { errorTypeOf, examplesOf } from "../../../scripts/document/media-types.ts";
import { operationsOf, tagsOf } from "../../../scripts/document/operations.ts";
import { batchField, requestFields } from "../../../scripts/document/requests.ts";
import { listedRows } from "../../../scripts/document/requirements.ts";
import {
  gatewayResponses,
  headerOf,
  isError,
  listedResponses,
  responses,
} from "../../../scripts/document/responses.ts";
import { entriesOf, nodeOf, textsOf } from "../../../scripts/document/values.ts";
import { finding, type Rule, ruleForEach } from "../rule.ts";

export const errorExampleRequestId = ruleForEach(errorExamples, {
  description: "The request id in an error example is the one in the example of its header.",
  *check({ response, name, example }, document) {
    const shown = headerOf(document, response, "X-Service-Request-Id")?.value.example;
    if (shown !== undefined && valueAt(example, ["value", "error", "request_id"]) !== shown)
      yield `Set error.request_id of the example ${name} to ${JSON.stringify(shown)}, the example of X-Service-Request-Id.`;
  },
});

export const errorExamplesMatchRows = ruleForEach(errorExamples, {
  description: "Every error example of an operation has a row in the error table.",
  *check({ response, name, type }, document) {
    const rows = rowsFor(document, response.operation?.id, response.status);
    if (rows.some((row) => row.type === null || row.type === type)) return;
    const owner = response.operation?.id ?? "the gateway";
    yield finding(
      response.listed,
      `Remove the example ${name} (${response.status} ${type}) from ${owner}, or add ${owner} to its row of x-errors.`,
    );
  },
});

export const errorRowsHaveExamples = ruleForEach(errorRows, {
  description: "Every row of the error table has a named example in each of its responses.",
  *check({ id, status, type, operations: users }, document) {
    const known = new Set(operationsOf(document).map((operation) => operation.id));
    for (const user of users.length === 0 ? [undefined] : users) {
      if (user !== undefined && !known.has(user)) continue;
      const response = listedResponses(document).find(
        (one) => one.operation?.id === user && one.status === status,
      );
      if (response === undefined) {
        yield `Add a ${status} response to ${user ?? "the gateway"}, or remove it from the row ${id}.`;
        continue;
      }
      const examples = errorExamples(document).filter((one) => one.response === response);
      if (!examples.some((example) => type === null || example.type === type))
        yield finding(
          response.path,
          `Add an example ${type === null ? "" : `with error.type ${type} `}to ${response.name}, for the row ${id}.`,
        );
    }
  },
});

export const errorRowsWellFormed = ruleForEach(errorRows, {
  description: "Every row of the error table has a unique id of status and type; a 5xx has no type.",
  *check({ row, id, status, type }, document) {
    const expected = type === null ? status : `${status}.${type}`;
    if (id !== expected && !id.startsWith(`${expected}.`))
      yield `Change the id of the row ${id} to ${expected}, its status and type.`;
    if (errorRows(document).find((one) => one.id === id)?.row !== row)
      yield `Change the id of the row ${id}: an earlier row has it.`;
    if ((type === null) !== status.startsWith("5"))
      yield `Give the row ${id} ${type === null ? "its type" : "the type null: a 5xx has no specified type"}.`;
  },
});

export const errorStatusesHaveRows = ruleForEach(listedResponses, {
  description: "Every error response of an operation has a row in the error table.",
  *check({ listed, status, operation }, document) {
    if (!isError(status) && listed[0] !== gatewayResponses) return;
    if (rowsFor(document, operation?.id, status).length === 0)
      yield finding(
        listed,
        `Remove the ${status} response from ${operation?.id ?? "the gateway"}, or add it to a row of x-errors with status ${status}.`,
      );
  },
});

const place = ["components", "schemas", "ErrorType", "x-extensible-enum"];

export const errorTypesConsistent: Rule = {
  description: "The schema ErrorType lists exactly the types of the error table.",
  *check(document) {
    const known = textsOf(valueAt(document, place));
    const rows = errorRows(document);
    for (const type of known)
      if (!rows.some((row) => row.type === type))
        yield finding(place, `Remove ${type} from ErrorType, or add a row with this type to x-errors.`);
    for (const { path, id, type } of rows)
      if (type !== null && !known.includes(type))
        yield finding(path, `Add the type ${type} of the row ${id} to x-extensible-enum of ErrorType.`);
  },
};

export const invalidRequestFirst = ruleForEach(responses, {
  description: "The first example of a 422 is invalid_request, which mocks return for an invalid request.",
  *check({ path, response, status, name }, document) {
    if (status !== "422") return;
    for (const [type, media] of entriesOf(response.content)) {
      const place = [...path, "content", type];
      const [first] = examplesOf(document, place, media);
      if (first !== undefined && errorTypeOf(first.example) !== "invalid_request")
        yield finding(
          [...place, "examples"],
          `Move an example with error.type invalid_request to the first place in ${name}.`,
        );
    }
  },
});

/** In a batch a field is named with the position of its message: `emails.2.subject`. */
const isPositioned = (batch: string, field: string): boolean =>
  field.startsWith(`${batch}.`) && /^\d+\.[a-z_]+/.test(field.slice(batch.length + 1));

export const invalidRequestNamesFields = ruleForEach(errorExamples, {
  description:
    "An example of an error that names fields has the invalid fields of the request and what is wrong with each.",
  *check({ response, name, example, type }, document) {
    const isNaming = errorRows(document).some(
      (row) => row.namesFields && row.status === response.status && row.type === type,
    );
    if (!isNaming) return;
    const fields = nodeOf(valueAt(example, ["value", "error", "fields"]));
    if (Object.keys(fields).length === 0)
      yield `Add the invalid fields to error.fields of the example ${name}.`;
    const known = requestFields(document, response.operation);
    const batch = batchField(document, response.operation);
    for (const [field, faults] of Object.entries(fields)) {
      if (textsOf(faults).length === 0)
        yield `Add to the example ${name} what is wrong with ${field}, as a list of strings.`;
      if (response.operation === undefined) continue;
      if (batch === undefined ? !known.has(field.split(".")[0] ?? "") : !isPositioned(batch, field))
        yield batch === undefined
          ? `Use a field of ${response.operation.id} in the example ${name} (got ${field}).`
          : `Change ${field} in the example ${name} to ${batch}.<index>.<field>.`;
    }
  },
});

export const newsletterErrorTypes: Rule = {
  description: "Newsletter operations return only the error types that their tag lists in x-error-types.",
  *check(document) {
    const tags = listedRows(document, ["tags"]).filter(({ row }) => row.name === "Newsletter");
    const permitted = tags.flatMap(({ row }) => textsOf(row["x-error-types"]));
    for (const { path, row } of tags)
      if (textsOf(row["x-error-types"]).length === 0)
        yield finding(path, "Add x-error-types to the tag Newsletter.");
    const users = operationsOf(document).filter((operation) => tagsOf(operation).includes("Newsletter"));
    const isForeign = (operation: string | undefined, type: string): boolean =>
      users.some(({ id }) => id === operation) && !permitted.includes(type);
    for (const { path, id, type, operations } of errorRows(document))
      for (const user of operations)
        if (type !== null && isForeign(user, type))
          yield finding(
            path,
            `Remove ${user} from the row ${id}: the newsletter API does not return ${type}.`,
          );
    for (const { response, name, path, type } of errorExamples(document)) {
      // The type of a 5xx is unspecified, so the list does not apply to it.
      if (type === "" || response.status.startsWith("5")) continue;
      const user = response.operation?.id;
      if (isForeign(user, type))
        yield finding(
          path,
          `Remove the example ${name} from ${user}: the newsletter API does not return ${type}.`,
        );
    }
  },
};
