import { errorRows } from "../../../scripts/document/errors.ts";
import { textOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

const retries = ["never", "after", "backoff"];

export const rule = ruleForEach(errorRows, {
  description: "Every row of the error table has a unique id of status and type, a cause and a resolution.",
  *check({ row, id, status, type }, document) {
    const expected = type === null ? status : `${status}.${type}`;
    if (!/^[45]\d\d$/.test(status)) yield `Set the status of the row ${id} to a number from 400 to 599.`;
    if (id !== expected && !id.startsWith(`${expected}.`))
      yield `Change the id of the row ${id} to ${expected}, its status and type.`;
    if (errorRows(document).find((one) => one.id === id)?.row !== row)
      yield `Change the id of the row ${id}: an earlier row has it.`;
    if ((type === null) !== status.startsWith("5"))
      yield `Give the row ${id} ${type === null ? "its type" : "the type null: a 5xx has no specified type"}.`;
    if (row.namesFields !== undefined && typeof row.namesFields !== "boolean")
      yield `Set namesFields of the row ${id} to true or false.`;
    if (!retries.includes(textOf(row.retry))) yield `Set retry of the row ${id} to never, after or backoff.`;
    for (const key of ["when", "resolution"])
      if (textOf(row[key]).trim() === "")
        yield `Set ${key} of the row ${id} to ${key === "when" ? "the cause of the error" : "what the client should do"}.`;
  },
});
