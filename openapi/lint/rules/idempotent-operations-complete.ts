import { errorRows } from "../../../scripts/document/errors.ts";
import { isIdempotencyKey, operationsOf, parametersOf } from "../../../scripts/document/operations.ts";
import { headerOf, isSuccess, responsesOf } from "../../../scripts/document/responses.ts";
import { ruleForEach } from "../rule.ts";

const row = "409.idempotency_conflict";

/** The operations of the row 409.idempotency_conflict are the idempotent ones. */
export const rule = ruleForEach(operationsOf, {
  description:
    "An idempotent operation takes Idempotency-Key, returns Idempotent-Replayed and lists 409; others do not.",
  *check(place, document) {
    const { id: name, location: path } = place;
    const listed = errorRows(document).some(({ id, operations }) => id === row && operations.includes(name));
    const key = parametersOf(document, place).find(({ value }) => isIdempotencyKey(value));
    if (listed && key === undefined)
      yield `Add the parameter Idempotency-Key to ${name}: the row ${row} lists it.`;
    if (!listed && key !== undefined)
      yield {
        path: [...path, "parameters"],
        message: `List ${name} in the row ${row}, or remove its parameter Idempotency-Key.`,
      };
    for (const response of responsesOf(document, place)) {
      const header = headerOf(document, response, "Idempotent-Replayed");
      const expected = listed && isSuccess(response.status);
      if (expected && header?.value.required !== false)
        yield {
          path: response.path,
          message: `Add the header Idempotent-Replayed with required: false to ${response.name}.`,
        };
      if (!expected && header !== undefined)
        yield {
          path: [...response.path, "headers"],
          message: `Remove the header Idempotent-Replayed from ${response.name}: only successful responses of idempotent operations have it.`,
        };
    }
  },
});
