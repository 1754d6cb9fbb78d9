import {
  answerAt,
  answering,
  error,
  getThing,
  type Invalid,
  json,
  operation,
  type Valid,
} from "../fragments.ts";

export const valid: Valid = { "a JSON answer": answering("200", { content: json({}) }) };

export const invalid: Invalid = {
  "an answer in XML": {
    document: answering("200", { content: { "application/xml": { schema: {} } } }),
    findings: [
      error(
        `${answerAt("200")}/content/application~1xml`,
        "Write application/json instead of application/xml in the 200 answer of getThing: bodies are JSON.",
      ),
    ],
  },
  "a request from a form": {
    document: operation({ requestBody: { content: { "multipart/form-data": { schema: {} } } } }),
    findings: [
      error(
        `${getThing}/requestBody/content/multipart~1form-data`,
        "Write application/json instead of multipart/form-data in the request of getThing: bodies are JSON.",
      ),
    ],
  },
};
