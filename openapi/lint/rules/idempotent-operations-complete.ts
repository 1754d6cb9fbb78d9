import { errorRows } from "../../../scripts/document/error-rows.ts";
import { eachOperation, operationAt, parametersOf } from "../../../scripts/document/operations.ts";
import { headerOf, isSuccess, responsesOf } from "../../../scripts/document/responses.ts";
import type { Rule } from "../rule.ts";

const row = "409.idempotency_conflict";

/** The row 409.idempotency_conflict of the error table says which operations take a key; the rest follows. */
export const rule: Rule = {
  description:
    "An operation takes Idempotency-Key, answers Idempotent-Replayed and refuses reuse with 409, or none of these.",
  severity: "error",
  given: eachOperation,
  *check(_operation, { path, document }) {
    const place = operationAt(document, path);
    const { id: name } = place;
    const listed = errorRows(document).some(({ id, operations }) => id === row && operations.includes(name));
    const key = parametersOf(document, place).find(
      ({ value }) => value.in === "header" && value.name === "Idempotency-Key",
    );
    if (listed && key === undefined)
      yield { path, message: `Add the parameter Idempotency-Key to ${name}: the row ${row} lists it.` };
    if (!listed && key !== undefined)
      yield {
        path: [...path, "parameters"],
        message: `List ${name} in the row ${row}, or remove its parameter Idempotency-Key.`,
      };
    for (const answer of responsesOf(document, place)) {
      const header = headerOf(document, answer, "Idempotent-Replayed");
      const expected = listed && isSuccess(answer.status);
      if (expected && header?.value.required !== false)
        yield {
          path: answer.path,
          message: `Add the header Idempotent-Replayed with required: false to ${answer.name}.`,
        };
      if (!expected && header !== undefined)
        yield {
          path: [...answer.path, "headers"],
          message: `Remove the header Idempotent-Replayed from ${answer.name}: only successes of idempotent operations have it.`,
        };
    }
  },
};
