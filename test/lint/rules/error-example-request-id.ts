import { answerAt, answering, error, failure, type Invalid, json, type Valid } from "../fragments.ts";

const answer = (example: string) =>
  answering("404", {
    headers: { "X-Service-Request-Id": { example } },
    content: json({}, { not_found: failure("not_found") }),
  });

export const valid: Valid = { "the same id in header and body": answer("req_1") };

export const invalid: Invalid = {
  "another id in the body": {
    document: answer("req_2"),
    findings: [
      error(
        `${answerAt("404")}/content/application~1json/examples/not_found`,
        'Write "req_2" as error.request_id of the example not_found: the header X-Service-Request-Id shows it.',
      ),
    ],
  },
};
