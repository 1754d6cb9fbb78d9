import type { Node } from "../../../scripts/document/values.ts";
import { error, getThing, type Invalid, operation, row, type Valid } from "../fragments.ts";

/** A document whose one operation belongs to a tag like this, and that has these rows of errors. */
const things = (tag: Node, rows: Node[]): Node =>
  operation({ tags: ["Things"] }, { tags: [{ name: "Things", ...tag }], "x-errors": rows });

const noPlan = row(402, "no_plan");

export const valid: Valid = {
  "an operation that can lack its product": things({ "x-product": "things" }, [noPlan]),
  "an operation that needs no product": things({}, [
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
    document: things({}, [noPlan]),
    findings: [error(getThing, "Add x-product to the tag of getThing: it has an error row of status 402.")],
  },
};
