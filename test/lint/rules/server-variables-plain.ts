import type { Node } from "../../../scripts/document/values.ts";
import { document, error, type Invalid, type Valid } from "../fragments.ts";

const serverWith = (variable: Node) =>
  document({
    servers: [{ url: "{base_url}", description: "The service.", variables: { base_url: variable } }],
  });

export const valid: Valid = {
  "a variable with a default": serverWith({ default: "https://api.example.com" }),
  "no servers": document(),
};

export const invalid: Invalid = {
  "a description": {
    document: serverWith({ default: "https://api.example.com", description: "The base URL." }),
    findings: [
      error(
        "/servers/0/variables/base_url/description",
        "Move the description of the variable base_url to that of its server.",
      ),
    ],
  },
};
