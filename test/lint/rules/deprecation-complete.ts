import { error, getThing, type Invalid, operation, schema, thing, type Valid } from "../fragments.ts";

const documented = { deprecated: true, "x-deprecated": { since: "2026-11-21", instead: "getOther" } };

export const valid: Valid = {
  "an operation that says since when, and what instead": operation(documented),
  "nothing deprecated": operation({}),
};

export const invalid: Invalid = {
  "an operation that does not say": {
    document: operation({ deprecated: true }),
    findings: [
      error(getThing, "Add x-deprecated with since (YYYY-MM-DD) and instead to getThing: it is deprecated."),
    ],
  },
  "a field that says no date": {
    document: schema({
      properties: { name: { ...documented, "x-deprecated": { since: "soon", instead: "label" } } },
    }),
    findings: [
      error(
        `${thing}/properties/name`,
        "Add x-deprecated with since (YYYY-MM-DD) and instead to Thing.name: it is deprecated.",
      ),
    ],
  },
  "a date without the mark": {
    document: operation({ ...documented, deprecated: false }),
    findings: [error(getThing, "Add deprecated: true to getThing, or remove its x-deprecated.")],
  },
};
