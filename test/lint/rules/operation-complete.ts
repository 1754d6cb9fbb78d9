import { error, getThing, type Invalid, operation, type Valid } from "../fragments.ts";

const complete = { summary: "Look up a thing", description: "Finds it.", tags: ["Things"] };
const tags = { tags: [{ name: "Things" }] };

export const valid: Valid = { "a complete operation": operation(complete, tags) };

export const invalid: Invalid = {
  "nothing said": {
    document: operation({ tags: ["Things"] }, tags),
    findings: [
      error(getThing, "Add a description to getThing."),
      error(getThing, "Add a summary to getThing."),
    ],
  },
  "a long summary with a full stop": {
    document: operation({ ...complete, summary: `${"Look ".repeat(12)}up.` }, tags),
    findings: [
      error(getThing, "Remove the full stop at the end of the summary of getThing."),
      error(getThing, "Shorten the summary of getThing to 60 characters: it has 63."),
    ],
  },
  "an operationId in another style": {
    document: operation({ ...complete, operationId: "get_thing" }, tags),
    findings: [error(getThing, "Set operationId of get_thing to a lowerCamelCase name.")],
  },
  "no operationId": {
    document: operation({ ...complete, operationId: undefined }, tags),
    findings: [error(getThing, "Set operationId of GET /api/v1/things to a lowerCamelCase name.")],
  },
  "two tags, one of them unknown": {
    document: operation({ ...complete, tags: ["Things", "Other"] }, tags),
    findings: [
      error(getThing, "Add the tag Other of getThing to the tags of the document."),
      error(getThing, "Set one tag on getThing (got 2)."),
    ],
  },
};
