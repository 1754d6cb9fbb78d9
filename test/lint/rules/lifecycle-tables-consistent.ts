import type { Node } from "../../../scripts/document/values.ts";
import { error, type Invalid, row, schema, type Valid } from "../fragments.ts";

const step = { from: null, on: "make", to: "new", effect: "It is there." };
const table = (transitions: Node[], more: Node = {}) =>
  schema(
    { type: "string", enum: ["new", "old", "lost"] },
    {
      "x-errors": [row(409, "too_late")],
      "x-lifecycles": {
        thing: { schema: "#/components/schemas/Thing", unspecified: ["lost"], transitions, ...more },
      },
    },
  );
const age = { from: ["new"], on: "age", to: "old", effect: "It is old." };
const reject = { from: ["old"], on: "renew", to: null, effect: "Nothing.", error: "too_late" };
const lastOf = "/x-lifecycles/thing/transitions/2";

export const valid: Valid = { "a table of all states": table([step, age, reject]) };

export const invalid: Invalid = {
  "a state that the schema does not have": {
    document: table([step, age, { ...age, to: "ancient" }]),
    findings: [
      error(lastOf, "Correct the state ancient in transition 2 (age) of thing: the schema does not have it."),
    ],
  },
  "a way into an open state": {
    document: table([step, age, { ...age, to: "lost" }]),
    findings: [error(lastOf, "Remove transition 2 (age) of thing: transitions to lost are unspecified.")],
  },
  "an unknown error": {
    document: table([step, age, { ...reject, error: "late" }]),
    findings: [
      error(
        lastOf,
        "Correct the error late in transition 2 (renew) of thing: no row of x-errors has this type.",
      ),
    ],
  },
  "a transition that says nothing": {
    document: table([step, age, { from: ["new"], to: "old" }]),
    findings: [
      error(lastOf, "Add effect to transition 2 () of thing."),
      error(lastOf, "Add on to transition 2 () of thing."),
    ],
  },
  "a state that nothing leads to": {
    document: table([step]),
    findings: [
      error("/x-lifecycles/thing", "Add a transition with the state old to thing, or add it to unspecified."),
    ],
  },
  "an open state that the schema does not have": {
    document: table([step, age], { unspecified: ["lost", "found"] }),
    findings: [
      error("/x-lifecycles/thing", "Remove found from unspecified of thing: the schema does not have it."),
    ],
  },
  "no states at all": {
    document: table([], { schema: "#/components/schemas/Other", unspecified: [] }),
    findings: [error("/x-lifecycles/thing", "Point schema of thing to a schema with an enum of its states.")],
  },
};
