import type { Node } from "../../../scripts/document/values.ts";
import { document, error, type Invalid, row, schema, type Valid } from "../fragments.ts";

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
const rowOf = "/x-lifecycles/thing/records/0/properties/0";

/** A thing with a birthday, and a state in its own enum. */
const withRecords = (row: Node, record: Node = {}, last: Node = age): Node =>
  document({
    components: {
      schemas: {
        Thing: { enum: ["new", "old"] },
        Record: { properties: { state: { $ref: "#/components/schemas/Thing" }, born_at: {} } },
      },
    },
    "x-lifecycles": {
      thing: {
        schema: "#/components/schemas/Thing",
        transitions: [step, last],
        records: [{ schema: "#/components/schemas/Record", state: "state", properties: [row], ...record }],
      },
    },
  });
const born = { property: "born_at", set: ["old"], unset: ["new"] };

export const valid: Valid = {
  "a table of all states": table([step, age, reject]),
  "a property that a transition sets, which needs no other effect": withRecords(
    born,
    {},
    { from: ["new"], on: "age", to: "old" },
  ),
  "a property that is null in all states, with an exception": withRecords({
    property: "born_at",
    unset: "all",
    unless: { id: "#/components/schemas/Thing", blocked: true },
  }),
};

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
  "a property that the schema does not have": {
    document: withRecords({ ...born, property: "died_at" }),
    findings: [error(rowOf, "Remove died_at of the records of thing: the schema does not have it.")],
  },
  "a property in a state that the schema does not have": {
    document: withRecords({ ...born, set: ["ancient"] }),
    findings: [
      error(
        rowOf,
        "Correct the state ancient of born_at of the records of thing: the schema does not have it.",
      ),
    ],
  },
  "a property that is both set and null": {
    document: withRecords({ ...born, unset: ["old"] }),
    findings: [error(rowOf, "List old once in born_at of the records of thing: it is set or null.")],
  },
  "a row that says nothing": {
    document: withRecords({ property: "born_at" }),
    findings: [error(rowOf, "Add set or unset to born_at of the records of thing.")],
  },
  "an exception for an unknown schema": {
    document: withRecords({ ...born, unless: { id: "#/components/schemas/Id" } }),
    findings: [
      error(
        rowOf,
        "Correct id in unless of born_at of the records of thing: there is no schema #/components/schemas/Id.",
      ),
    ],
  },
  "records without a state": {
    document: withRecords({ property: "born_at", unset: "all" }, { state: "born_at" }),
    findings: [
      error(
        "/x-lifecycles/thing/records/0",
        "Set schema and state of the records of thing to a property with an enum (got born_at).",
      ),
    ],
  },
  "no states at all": {
    document: table([], { schema: "#/components/schemas/Other", unspecified: [] }),
    findings: [error("/x-lifecycles/thing", "Point schema of thing to a schema with an enum of its states.")],
  },
};
