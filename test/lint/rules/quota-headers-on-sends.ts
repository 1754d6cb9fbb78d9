import type { Node } from "../../../openapi/lint/document/values.ts";
import { answerAt, answering, document, error, type Invalid, type Valid, withHeaders } from "../fragments.ts";

const quota = { "X-Service-Monthly-Quota": { required: true } };
const both = { ...quota, "X-Service-Monthly-Remaining": { required: true } };
const send = (headers: Record<string, Node>) =>
  document({
    paths: {
      "/api/v1/emails": {
        post: { operationId: "sendEmail", responses: { "202": withHeaders(headers) } },
      },
    },
  });

export const valid: Valid = {
  "a send with both headers": send(both),
  "another call without them": answering("200", withHeaders({})),
};

export const invalid: Invalid = {
  "a send without one of them": {
    document: send(quota),
    findings: [
      error(
        "/paths/~1api~1v1~1emails/post/responses/202",
        "Add the header X-Service-Monthly-Remaining with required: true to the 202 answer of sendEmail.",
      ),
    ],
  },
  "another call with one of them": {
    document: answering("200", withHeaders(quota)),
    findings: [
      error(
        `${answerAt("200")}/headers`,
        "Remove the header X-Service-Monthly-Quota from the 200 answer of getThing: it is promised on successful sends only.",
      ),
    ],
  },
};
