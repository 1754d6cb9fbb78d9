import { error, failure, type Invalid, json, responseAt, type Valid, withResponse } from "../fragments.ts";

const response = (example: string) =>
  withResponse("404", {
    headers: { "X-Service-Request-Id": { example } },
    content: json({}, { not_found: failure("not_found") }),
  });

export const valid: Valid = { "the same id in header and body": response("req_1") };

export const invalid: Invalid = {
  "another id in the body": {
    document: response("req_2"),
    findings: [
      error(
        `${responseAt("404")}/content/application~1json/examples/not_found`,
        'Set error.request_id of the example not_found to "req_2", the example of X-Service-Request-Id.',
      ),
    ],
  },
};
