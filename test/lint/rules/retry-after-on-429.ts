import { answerAt, answering, error, type Invalid, row, type Valid, withHeaders } from "../fragments.ts";

const limited = row(429, "rate_limited");
const rejected = row(429, "send_rejected");
const always = withHeaders({ "Retry-After": { required: true } });
const perhaps = withHeaders({ "Retry-After": { required: false } });

export const valid: Valid = {
  "required where rate_limited is the only type": answering("429", always, { "x-errors": [limited] }),
  "optional where there is another type": answering("429", perhaps, { "x-errors": [limited, rejected] }),
};

export const invalid: Invalid = {
  "a 429 without it": {
    document: answering("429", withHeaders({}), { "x-errors": [limited] }),
    findings: [error(answerAt("429"), "Add the header Retry-After to the 429 answer of getThing.")],
  },
  "optional where it is promised": {
    document: answering("429", perhaps, { "x-errors": [limited] }),
    findings: [
      error(
        `${answerAt("429")}/headers`,
        "Use a Retry-After with required: true on the 429 answer of getThing: its only type, rate_limited, promises it.",
      ),
    ],
  },
  "required where it is not promised": {
    document: answering("429", always, { "x-errors": [limited, rejected] }),
    findings: [
      error(
        `${answerAt("429")}/headers`,
        "Use a Retry-After with required: false on the 429 answer of getThing: only its type rate_limited promises it.",
      ),
    ],
  },
  "another answer with it": {
    document: answering("503", always),
    findings: [
      error(
        `${answerAt("503")}/headers`,
        "Remove the header Retry-After from the 503 answer of getThing: it belongs to 429.",
      ),
    ],
  },
};
