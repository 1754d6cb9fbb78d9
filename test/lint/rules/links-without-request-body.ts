import type { Node } from "../../../scripts/document/values.ts";
import { error, type Invalid, responseAt, type Valid, withResponse } from "../fragments.ts";

const linking = (link: Node, rest?: Node) => withResponse("200", { links: { again: link } }, rest);
const message = (name: string) =>
  `Remove requestBody from the link again of ${name}, and describe the body in its description.`;

export const valid: Valid = {
  "a link with a parameter": linking({ operationId: "getThing", parameters: { id: "1" } }),
  "a response without links": withResponse("200", {}),
};

export const invalid: Invalid = {
  "an object as the body": {
    document: linking({ operationId: "getThing", requestBody: { id: "$response.body#/id" } }),
    findings: [
      error(`${responseAt("200")}/links/again/requestBody`, message("the 200 response of getThing")),
    ],
  },
  "a body in a shared link": {
    document: linking(
      { $ref: "#/components/links/Again" },
      { components: { links: { Again: { requestBody: "$response.body" } } } },
    ),
    findings: [error("/components/links/Again/requestBody", message("the 200 response of getThing"))],
  },
};
