import {
  error,
  getThing,
  type Invalid,
  json,
  operation,
  responseAt,
  type Valid,
  withResponse,
} from "../fragments.ts";

export const valid: Valid = { "a JSON response": withResponse("200", { content: json({}) }) };

export const invalid: Invalid = {
  "a response in XML": {
    document: withResponse("200", { content: { "application/xml": { schema: {} } } }),
    findings: [
      error(
        `${responseAt("200")}/content/application~1xml`,
        "Change the media type application/xml of the 200 response of getThing to application/json.",
      ),
    ],
  },
  "a request from a form": {
    document: operation({ requestBody: { content: { "multipart/form-data": { schema: {} } } } }),
    findings: [
      error(
        `${getThing}/requestBody/content/multipart~1form-data`,
        "Change the media type multipart/form-data of the request of getThing to application/json.",
      ),
    ],
  },
};
