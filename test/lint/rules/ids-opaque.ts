import { error, getThing, type Invalid, operation, schema, thing, type Valid } from "../fragments.ts";

const id = (schemaOfId: object) => schema({ properties: { id: schemaOfId } });

export const valid: Valid = {
  "an id of any shape": id({ type: "string", maxLength: 256 }),
  "the promised prefix": id({ type: "string", pattern: "^sched_" }),
  "a number that is an id": schema({ properties: { list_id: { type: "integer", format: "int64" } } }),
};

export const invalid: Invalid = {
  "a shape that is not promised": {
    document: id({ type: "string", pattern: "^[0-9A-Z]+$" }),
    findings: [
      error(
        `${thing}/properties/id`,
        "Remove pattern from Thing.id: ids are opaque, only the prefix sched_ is promised.",
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
        "Remove format from the parameter id: ids are opaque, only the prefix sched_ is promised.",
      ),
    ],
  },
};
