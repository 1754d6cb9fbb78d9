import {
  answerAt,
  answering,
  document,
  error,
  getThing,
  type Invalid,
  operation,
  type Valid,
  withHeaders,
} from "../fragments.ts";

const told = { description: "How many.", example: 3 };

export const valid: Valid = {
  "a parameter that is explained and shown": operation({
    parameters: [{ name: "size", in: "query", ...told }],
  }),
  "a header that is explained and shown": answering("200", withHeaders({ Size: told })),
};

export const invalid: Invalid = {
  "a parameter without a description": {
    document: operation({ parameters: [{ name: "size", in: "query", example: 3 }] }),
    findings: [error(`${getThing}/parameters/0`, "Add a description to the parameter size.")],
  },
  "a header without an example": {
    document: answering("200", withHeaders({ Size: { description: "How many." } })),
    findings: [error(`${answerAt("200")}/headers/Size`, "Add an example to the header Size.")],
  },
  "a shared parameter that nothing uses": {
    document: document({ components: { parameters: { Size: { name: "size", in: "query" } } } }),
    findings: [
      error("/components/parameters/Size", "Add a description to the parameter size."),
      error("/components/parameters/Size", "Add an example to the parameter size."),
    ],
  },
};
