import { document, error, type Invalid, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "an id for each row": document({
    "x-requirements": { things: [{ id: "THING-1" }, { id: "THING-2" }], parts: [{ id: "PART-1" }] },
    "x-unspecified": [{ id: "OPEN-1" }],
  }),
};

const message = (id: string): string =>
  `Change the id of this row to the next free one of its topic: an earlier row has ${id}.`;

export const invalid: Invalid = {
  "a requirement's id twice in one topic": {
    document: document({ "x-requirements": { things: [{ id: "THING-1" }, { id: "THING-1" }] } }),
    findings: [error("/x-requirements/things/1/id", message("THING-1"))],
  },
  "a requirement's id in two topics": {
    document: document({ "x-requirements": { things: [{ id: "THING-1" }], parts: [{ id: "THING-1" }] } }),
    findings: [error("/x-requirements/parts/0/id", message("THING-1"))],
  },
  "an unspecified place's id twice": {
    document: document({ "x-unspecified": [{ id: "OPEN-1" }, { id: "OPEN-1" }] }),
    findings: [error("/x-unspecified/1/id", message("OPEN-1"))],
  },
};
