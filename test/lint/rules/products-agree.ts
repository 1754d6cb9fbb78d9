import type { Node } from "../../../scripts/document/values.ts";
import { error, getThing, type Invalid, operation, row, type Valid } from "../fragments.ts";

/** A document whose one operation belongs to a tag like this, and that has these rows of errors. */
const things = (tag: Node, rows: Node[]): Node =>
  operation({ tags: ["Things"] }, { tags: [{ name: "Things", ...tag }], "x-errors": rows });

const refused = row(402, "no_plan");

export const valid: Valid = {
  "a call that can lack its product": things({ "x-product": "things" }, [refused]),
  "a call that needs no product": things({}, [
    row(402, "no_plan", { operations: [] }),
    row(404, "not_found"),
  ]),
};

export const invalid: Invalid = {
  "a product that can never be missing": {
    document: things({ "x-product": "things" }, [row(404, "not_found")]),
    findings: [error(getThing, "Add getThing to the error row of status 402: its tag names a product.")],
  },
  "a product that has no name": {
    document: things({}, [refused]),
    findings: [
      error(
        getThing,
        "Name the product of getThing in x-product of its tag: the error table says that it can be missing.",
      ),
    ],
  },
};
