import type { Node } from "../../../scripts/document/values.ts";
import { document, error, type Invalid, type Valid, withHeaders } from "../fragments.ts";

const quota = { "X-Quota": { required: true, "x-operations": ["sendThing"] } };

/** Two operations of which the first alone may have the header, with these headers on their successes. */
const things = (sent: Record<string, Node>, got: Record<string, Node>): Node =>
  document({
    paths: {
      "/api/v1/things": {
        post: { operationId: "sendThing", responses: { "202": withHeaders(sent), "400": withHeaders({}) } },
        get: { operationId: "getThing", responses: { "200": withHeaders(got) } },
      },
    },
  });

export const valid: Valid = {
  "a header on the successes of the operations that it names": things(quota, {}),
  "a header that names no operations": things({ "X-Other": { required: true } }, {}),
};

export const invalid: Invalid = {
  "the header on another operation, and not on its own": {
    document: things({}, quota),
    findings: [
      error(
        "/paths/~1api~1v1~1things/post/responses/202",
        "Add the header X-Quota with required: true to the 202 response of sendThing.",
      ),
      error(
        "/paths/~1api~1v1~1things/get/responses/200/headers",
        "Remove the header X-Quota from the 200 response of getThing: only successful responses of sendThing have it.",
      ),
    ],
  },
  "the header where it may be missing": {
    document: things({ "X-Quota": { required: false, "x-operations": ["sendThing"] } }, {}),
    findings: [
      error(
        "/paths/~1api~1v1~1things/post/responses/202",
        "Add the header X-Quota with required: true to the 202 response of sendThing.",
      ),
    ],
  },
};
