import { error, type Invalid, responseAt, row, type Valid, withHeaders, withResponse } from "../fragments.ts";

const limited = row(429, "rate_limited");
const rejected = row(429, "send_rejected");
const always = withHeaders({ "Retry-After": { required: true } });
const perhaps = withHeaders({ "Retry-After": { required: false } });

export const valid: Valid = {
  "required where rate_limited is the only type": withResponse("429", always, { "x-errors": [limited] }),
  "optional where there is another type": withResponse("429", perhaps, { "x-errors": [limited, rejected] }),
};

export const invalid: Invalid = {
  "a 429 without it": {
    document: withResponse("429", withHeaders({}), { "x-errors": [limited] }),
    findings: [error(responseAt("429"), "Add the header Retry-After to the 429 response of getThing.")],
  },
  "optional although it is always there": {
    document: withResponse("429", perhaps, { "x-errors": [limited] }),
    findings: [
      error(
        `${responseAt("429")}/headers`,
        "Use a Retry-After with required: true on the 429 response of getThing: its only type, rate_limited, requires it.",
      ),
    ],
  },
  "required although it is not always there": {
    document: withResponse("429", always, { "x-errors": [limited, rejected] }),
    findings: [
      error(
        `${responseAt("429")}/headers`,
        "Use a Retry-After with required: false on the 429 response of getThing: only its type rate_limited requires it.",
      ),
    ],
  },
  "another response with it": {
    document: withResponse("503", always),
    findings: [
      error(
        `${responseAt("503")}/headers`,
        "Remove the header Retry-After from the 503 response of getThing: only a 429 has it.",
      ),
    ],
  },
};
