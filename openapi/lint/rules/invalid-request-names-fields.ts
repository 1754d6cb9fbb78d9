import { errorExamples, errorRows } from "../../../scripts/document/errors.ts";
import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { batchField, requestFields } from "../../../scripts/document/requests.ts";
import { nodeOf, textsOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

/** In a batch a field is named with the position of its message: `emails.2.subject`. */
const isPositioned = (batch: string, field: string): boolean =>
  field.startsWith(`${batch}.`) && /^\d+\.[a-z_]+/.test(field.slice(batch.length + 1));

export const rule = ruleForEach(errorExamples, {
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
      const first = field.split(".")[0] ?? "";
      if (batch === undefined ? !known.has(first) : !isPositioned(batch, field))
        yield batch === undefined
          ? `Use a field of ${response.operation.id} in the example ${name} (got ${field}).`
          : `Change ${field} in the example ${name} to ${batch}.<index>.<field>.`;
    }
  },
});
