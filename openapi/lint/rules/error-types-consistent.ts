import { errorRows } from "../../../scripts/document/errors.ts";
import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { textsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

const place = ["components", "schemas", "ErrorType", "x-extensible-enum"];

export const rule: Rule = {
  description: "The schema ErrorType lists exactly the types of the error table.",
  *check(document) {
    const known = textsOf(valueAt(document, place));
    const rows = errorRows(document);
    for (const type of known)
      if (!rows.some((row) => row.type === type))
        yield {
          path: place,
          message: `Remove ${type} from ErrorType, or add a row with this type to x-errors.`,
        };
    for (const { path, id, type } of rows)
      if (type !== null && !known.includes(type))
        yield { path, message: `Add the type ${type} of the row ${id} to x-extensible-enum of ErrorType.` };
  },
};
