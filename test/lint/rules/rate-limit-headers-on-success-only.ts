import { error, type Invalid, responseAt, type Valid, withHeaders, withResponse } from "../fragments.ts";

const limit = { "X-RateLimit-Limit": { required: true } };
const both = { ...limit, "X-RateLimit-Remaining": { required: true } };

export const valid: Valid = {
  "a success with both headers": withResponse("2XX", withHeaders(both)),
  "a failure without them": withResponse("404", withHeaders({})),
};

export const invalid: Invalid = {
  "a success without one of them": {
    document: withResponse("200", withHeaders(limit)),
    findings: [
      error(
        responseAt("200"),
        "Add the header X-RateLimit-Remaining with required: true to the 200 response of getThing.",
      ),
    ],
  },
  "a success where one may be missing": {
    document: withResponse("200", withHeaders({ ...both, "X-RateLimit-Limit": { required: false } })),
    findings: [
      error(
        responseAt("200"),
        "Add the header X-RateLimit-Limit with required: true to the 200 response of getThing.",
      ),
    ],
  },
  "a failure with one of them": {
    document: withResponse("429", withHeaders(limit)),
    findings: [
      error(
        `${responseAt("429")}/headers`,
        "Remove the header X-RateLimit-Limit from the 429 response of getThing: only successful responses have it.",
      ),
    ],
  },
};
