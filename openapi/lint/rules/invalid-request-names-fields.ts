import { errorExamples } from "../../../scripts/document/error-examples.ts";
import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { batchField, requestFields } from "../../../scripts/document/request-fields.ts";
import { nodeOf, textsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

/** In a batch a field is named with the position of its message: `emails.2.subject`. */
const isPositioned = (batch: string, field: string): boolean =>
  field.startsWith(`${batch}.`) && /^\d+\.[a-z_]+/.test(field.slice(batch.length + 1));

export const rule: Rule = {
  description:
    "An invalid_request names each field that it refuses, by a field of the request, with its faults.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { response: answer, name, path, example, type } of errorExamples(document)) {
      if (type !== "invalid_request") continue;
      const fields = nodeOf(valueAt(example, ["value", "error", "fields"]));
      if (Object.keys(fields).length === 0)
        yield { path, message: `Name the refused fields in error.fields of the example ${name}.` };
      const known = requestFields(document, answer.operation);
      const batch = batchField(document, answer.operation);
      for (const [field, faults] of Object.entries(fields)) {
        if (textsOf(faults).length === 0)
          yield {
            path,
            message: `Say in the example ${name} what is wrong with ${field}: a list of sentences.`,
          };
        if (answer.operation === undefined) continue;
        const first = field.split(".")[0] ?? "";
        if (batch === undefined ? !known.has(first) : !isPositioned(batch, field))
          yield {
            path,
            message:
              batch === undefined
                ? `Name a field of ${answer.operation.id} in the example ${name}: ${field} is none.`
                : `Write ${field} in the example ${name} with its position: ${batch}.<index>.<field>.`,
          };
      }
    }
  },
};
