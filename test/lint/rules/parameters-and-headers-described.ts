import {
  document,
  error,
  getThing,
  type Invalid,
  operation,
  responseAt,
  type Valid,
  withHeaders,
  withResponse,
} from "../fragments.ts";

const documented = { description: "How many.", example: 3 };

export const valid: Valid = {
  "a parameter that is explained and shown": operation({
    parameters: [{ name: "size", in: "query", ...documented }],
  }),
  "a header with description and example": withResponse("200", withHeaders({ Size: documented })),
};

export const invalid: Invalid = {
  "a parameter without a description": {
    document: operation({ parameters: [{ name: "size", in: "query", example: 3 }] }),
    findings: [error(`${getThing}/parameters/0`, "Add a description to the parameter size.")],
  },
  "a header without an example": {
    document: withResponse("200", withHeaders({ Size: { description: "How many." } })),
    findings: [error(`${responseAt("200")}/headers/Size`, "Add an example to the header Size.")],
  },
  "a shared parameter that nothing uses": {
    document: document({ components: { parameters: { Size: { name: "size", in: "query" } } } }),
    findings: [
      error("/components/parameters/Size", "Add a description to the parameter size."),
      error("/components/parameters/Size", "Add an example to the parameter size."),
    ],
  },
};
