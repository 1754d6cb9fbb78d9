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
    findings: [error(getThing, "Give get_thing an operationId in lowerCamelCase.")],
  },
  "no operationId": {
    document: operation({ ...complete, operationId: undefined }, tags),
    findings: [error(getThing, "Give GET /api/v1/things an operationId in lowerCamelCase.")],
  },
  "two tags, one of them unknown": {
    document: operation({ ...complete, tags: ["Things", "Other"] }, tags),
    findings: [
      error(getThing, "Describe the tag Other of getThing in the tags of the document."),
      error(getThing, "Give getThing one tag: it has 2."),
    ],
  },
};
