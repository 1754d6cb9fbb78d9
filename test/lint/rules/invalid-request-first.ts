import { error, failing, failure, type Invalid, responseAt, type Valid } from "../fragments.ts";

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
        `${responseAt("422")}/content/application~1json/examples`,
        "Move an example with error.type invalid_request to the first place in the 422 response of getThing.",
      ),
    ],
  },
};
