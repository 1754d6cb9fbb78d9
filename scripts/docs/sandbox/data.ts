import { errors } from "../../../generated/errors.ts";
import { exampleTime } from "../../../generated/examples.ts";
import { operations } from "../../../generated/operations.ts";
import demo from "../../../sandbox/seed/demo.json" with { type: "json" };
import { operationsOf, type PlacedOperation } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { Example, OpenApiDocument } from "../../document/types.ts";

/** A server on the machine of the reader. */
const localUrl = "http://127.0.0.1:8080";

/**
 * What the panel "Try it" knows of the API and of the demo accounts, as JSON.
 *
 * @param baseUrl that of the publisher's service
 */
export const tryData = (document: OpenApiDocument, baseUrl = localUrl): string =>
  JSON.stringify({
    start: exampleTime,
    baseUrl,
    keys: demo.accounts.flatMap(({ id, keys }) =>
      keys.map((key) => ({ id: `${id}.${key.id}`, label: `${id} · ${key.label}`, key: key.key })),
    ),
    // An overlay may add operations, which the sandbox does not have.
    operations: operationsOf(document)
      .filter(({ id }) => Object.hasOwn(operations, id))
      .map((placed) => operationData(document, placed)),
    seeded: demo.accounts.flatMap(({ messages = [] }) => messages.map(({ id }) => id)),
    errors: Object.keys(errors),
  });

function operationData(
  document: OpenApiDocument,
  { id, method, path, parameters, operation }: PlacedOperation,
) {
  const examples = Object.entries(operation.requestBody?.content["application/json"]?.examples ?? {});
  const rows: Record<string, { idempotent: boolean }> = operations;
  return {
    ...{ id, path, method: method.toUpperCase(), idempotent: rows[id]?.idempotent === true },
    parameters: parameters
      .filter((one) => one.in !== "header")
      .map(({ name, in: place, example = "" }) => ({ name, in: place, example: String(example) })),
    examples: examples.map(([name, reference]) => {
      const { summary = name, value } = dereference<Example>(document, reference);
      return { title: summary, body: JSON.stringify(value) };
    }),
  };
}
