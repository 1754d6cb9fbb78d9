import { errorRows } from "../../../scripts/document/errors.ts";
import { operationsOf, tagsOf } from "../../../scripts/document/operations.ts";
import { rowsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

const mark = "x-requires-verified-domain";

/** The error of an operation that sends from a domain which is not verified. */
const unverified = "409.send_rejected";

export const rule: Rule = {
  description: `A tag has ${mark}: true exactly if an operation of it sends email (row ${unverified}).`,
  *check(document) {
    const sends = errorRows(document).find(({ id }) => id === unverified)?.operations ?? [];
    for (const [index, tag] of rowsOf(document.tags)) {
      const path = ["tags", index];
      const send = operationsOf(document).find(
        (operation) => tagsOf(operation).includes(String(tag.name)) && sends.includes(operation.id),
      );
      if (send !== undefined && tag[mark] !== true)
        yield { path, message: `Add ${mark}: true to the tag ${tag.name}: ${send.id} sends email.` };
      if (send === undefined && tag[mark] !== undefined)
        yield {
          path: [...path, mark],
          message: `Remove ${mark} from the tag ${tag.name}: no operation of it sends email.`,
        };
    }
  },
};
