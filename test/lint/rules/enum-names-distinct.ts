import { document, error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

const pair = (one: object, other: object) =>
  document({ components: { schemas: { One: one, Other: other } } });
const names = ["OtherOn", "OtherOff"];

export const valid: Valid = {
  "values of one enum each": pair({ enum: ["on", "off"] }, { enum: ["up", "down"] }),
  "a shared value with names": pair({ enum: ["on"] }, { enum: ["on", "off"], "x-enum-varnames": names }),
};

export const invalid: Invalid = {
  "a shared value": {
    document: pair({ enum: ["on", "off"] }, { enum: ["off", "up"] }),
    findings: [
      error(
        "/components/schemas/One",
        "Name the values of One or Other with x-enum-varnames: both have off.",
      ),
      error(
        "/components/schemas/Other",
        "Name the values of Other or One with x-enum-varnames: both have off.",
      ),
    ],
  },
  "a name that is a value of another enum": {
    document: pair({ enum: ["on"], "x-enum-varnames": ["up"] }, { enum: ["up"] }),
    findings: [
      error("/components/schemas/One", "Name the values of One or Other with x-enum-varnames: both have up."),
      error(
        "/components/schemas/Other",
        "Name the values of Other or One with x-enum-varnames: both have up.",
      ),
    ],
  },
  "too few names": {
    document: schema({ enum: ["on", "off"], "x-enum-varnames": ["On"] }),
    findings: [
      error(`${thing}/x-enum-varnames`, "List one name for each value of Thing in x-enum-varnames."),
    ],
  },
};
