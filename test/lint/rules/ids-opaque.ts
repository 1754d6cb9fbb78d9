import { error, getThing, type Invalid, operation, schema, thing, type Valid } from "../fragments.ts";

/** A schema with this id, and what the requirement says that it may encode. */
const id = (schemaOfId: object, text = "The id of a thing begins with sched_.") =>
  schema(
    { properties: { id: schemaOfId } },
    { "x-requirements": { things: [{ id: "THING-1", text, operations: [] }] } },
  );

const prefixed = { type: "string", pattern: "^sched_.*$", "x-prefix": "sched_", "x-encodes": ["THING-1"] };

export const valid: Valid = {
  "an id of any shape": id({ type: "string", maxLength: 256 }),
  "the specified prefix": id(prefixed),
  "the specified prefix behind a reference": {
    ...id({}),
    components: {
      schemas: {
        ThingId: prefixed,
        Thing: { properties: { id: { $ref: "#/components/schemas/ThingId", "x-encodes": ["THING-2"] } } },
      },
    },
  },
  "a number that is an id": schema({ properties: { list_id: { type: "integer", format: "int64" } } }),
};

export const invalid: Invalid = {
  "a pattern that is not specified": {
    document: id({ type: "string", pattern: "^[0-9A-Z]+$" }),
    findings: [
      error(
        `${thing}/properties/id`,
        "Remove pattern from Thing.id: ids are opaque, apart from a prefix that a requirement names.",
      ),
    ],
  },
  "a prefix without a requirement": {
    document: id(prefixed, "The id of a thing begins with msg_."),
    findings: [
      error(
        `${thing}/properties/id`,
        "Remove pattern from Thing.id: ids are opaque, apart from a prefix that a requirement names.",
      ),
    ],
  },
  "a prefix that a requirement gives to something else": {
    document: id({ type: "string", pattern: "^sched_.*$", "x-prefix": "sched_" }),
    findings: [
      error(
        `${thing}/properties/id`,
        "Remove pattern from Thing.id: ids are opaque, apart from a prefix that a requirement names.",
      ),
    ],
  },
  "a pattern that says more than the prefix": {
    document: id({ ...prefixed, pattern: "^sched_[0-9]+$" }),
    findings: [
      error(
        `${thing}/properties/id`,
        "Remove pattern from Thing.id: ids are opaque, apart from a prefix that a requirement names.",
      ),
    ],
  },
  "a pattern without the prefix as such": {
    document: id({ type: "string", pattern: "^sched_.*$", "x-encodes": ["THING-1"] }),
    findings: [
      error(
        `${thing}/properties/id`,
        "Remove pattern from Thing.id: ids are opaque, apart from a prefix that a requirement names.",
      ),
    ],
  },
  "a parameter in a format": {
    document: operation({
      parameters: [{ name: "id", in: "path", schema: { type: "string", format: "uuid" } }],
    }),
    findings: [
      error(
        `${getThing}/parameters/0`,
        "Remove format from the parameter id: ids are opaque, apart from a prefix that a requirement names.",
      ),
    ],
  },
};
