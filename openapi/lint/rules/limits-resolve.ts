import { valueAtPointer } from "../../../scripts/document/json-pointer.ts";
import { schemaLimits } from "../../../scripts/document/limits.ts";
import { entriesOf, rowsOf, textOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description:
    "Every limit is either a number or points to the schema keyword that has it; its error exists, and is the same for every keyword.",
  *check(document) {
    for (const { name, path, keyword, value } of schemaLimits(document))
      if (typeof value !== "number")
        yield {
          path,
          message: `Correct schema and keyword of the limit ${name}: there is no number ${keyword} there.`,
        };
    const errors = rowsOf(document["x-errors"]).map(([, { id }]) => id);
    const rows = entriesOf(document["x-limits"]);
    // Whatever keyword a value violates, it is an invalid value.
    const ofKeywords = rows.flatMap(([, { keyword, error }]) =>
      keyword === undefined || error === undefined ? [] : [error],
    );
    for (const [name, row] of rows) {
      const path = ["x-limits", name];
      if ((typeof row.value === "number") === (row.keyword !== undefined))
        yield { path, message: `Set either value, or schema and keyword, of the limit ${name}.` };
      const target = textOf(row.schema);
      if (row.keyword === undefined && target !== "" && valueAtPointer(document, target) === undefined)
        yield { path, message: `Correct schema of the limit ${name}: there is no ${target}.` };
      if (row.error !== undefined && !errors.includes(row.error))
        yield {
          path,
          message: `Correct error of the limit ${name}: no row of x-errors has the id ${row.error}.`,
        };
      if (row.keyword !== undefined && row.error !== undefined && row.error !== ofKeywords[0])
        yield {
          path,
          message: `Correct error of the limit ${name}: that of other keywords is ${ofKeywords[0]}.`,
        };
      for (const key of ["description", "unit"])
        if (textOf(row[key]) === "") yield { path, message: `Add ${key} to the limit ${name}.` };
    }
  },
};
