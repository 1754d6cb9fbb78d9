import { errorExamples } from "../document/error-examples.ts";
import { requestFields } from "../document/request-fields.ts";
import { nodeOf, textsOf, valueAt } from "../document/values.ts";
import type { Rule } from "../rule.ts";

/** In a batch a field is named with the position of its message. */
const inBatch = /^emails\.\d+\.[a-z_]+/;

export const rule: Rule = {
  description:
    "An invalid_request names each field that it refuses, by a field of the request, with its faults.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { answer, name, path, example, type } of errorExamples(document)) {
      if (type !== "invalid_request") continue;
      const fields = nodeOf(valueAt(example, ["value", "error", "fields"]));
      if (Object.keys(fields).length === 0)
        yield { path, message: `Name the refused fields in error.fields of the example ${name}.` };
      const known = requestFields(document, answer.operation);
      for (const [field, faults] of Object.entries(fields)) {
        if (textsOf(faults).length === 0)
          yield {
            path,
            message: `Say in the example ${name} what is wrong with ${field}: a list of sentences.`,
          };
        if (answer.operation === undefined) continue;
        const first = field.split(".")[0] ?? "";
        if (answer.operation.name === "sendBatch" ? !inBatch.test(field) : !known.has(first))
          yield {
            path,
            message:
              answer.operation.name === "sendBatch"
                ? `Write ${field} in the example ${name} with its position: emails.<index>.<field>.`
                : `Name a field of ${answer.operation.name} in the example ${name}: ${field} is none.`,
          };
      }
    }
  },
};
