import { answerAt, error, failing, failure, type Invalid, type Valid } from "../fragments.ts";

const rejected = { rejected: failure("send_rejected") };
const malformed = { malformed: failure("invalid_request") };

export const valid: Valid = {
  "invalid_request first": failing("422", { ...malformed, ...rejected }, []),
  "another status": failing("409", rejected, []),
};

export const invalid: Invalid = {
  "another type first": {
    document: failing("422", { ...rejected, ...malformed }, []),
    findings: [
      error(
        `${answerAt("422")}/content/application~1json/examples`,
        "Put an example with error.type invalid_request first in the 422 answer of getThing.",
      ),
    ],
  },
};
