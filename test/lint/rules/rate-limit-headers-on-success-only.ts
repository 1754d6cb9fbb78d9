import { answerAt, answering, error, type Invalid, type Valid, withHeaders } from "../fragments.ts";

const limit = { "X-RateLimit-Limit": { required: true } };
const both = { ...limit, "X-RateLimit-Remaining": { required: true } };

export const valid: Valid = {
  "a success with both headers": answering("2XX", withHeaders(both)),
  "a failure without them": answering("404", withHeaders({})),
};

export const invalid: Invalid = {
  "a success without one of them": {
    document: answering("200", withHeaders(limit)),
    findings: [
      error(
        answerAt("200"),
        "Add the header X-RateLimit-Remaining with required: true to the 200 answer of getThing.",
      ),
    ],
  },
  "a success where one may be missing": {
    document: answering("200", withHeaders({ ...both, "X-RateLimit-Limit": { required: false } })),
    findings: [
      error(
        answerAt("200"),
        "Add the header X-RateLimit-Limit with required: true to the 200 answer of getThing.",
      ),
    ],
  },
  "a failure with one of them": {
    document: answering("429", withHeaders(limit)),
    findings: [
      error(
        `${answerAt("429")}/headers`,
        "Remove the header X-RateLimit-Limit from the 429 answer of getThing: it is promised on success only.",
      ),
    ],
  },
};
