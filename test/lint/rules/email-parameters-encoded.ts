import type { Node } from "../../../scripts/document/values.ts";
import { error, getThing, type Invalid, operation, type Valid } from "../fragments.ts";

const email = {
  name: "email",
  in: "path",
  description: "The address, URL encoded.",
  schema: { format: "email" },
};
const taking = (parameter: Node) => operation({ parameters: [parameter] });
const at = `${getThing}/parameters/0`;

export const valid: Valid = {
  "an address that is URL encoded": taking(email),
  "an id": taking({ name: "id", in: "path", schema: {} }),
};

export const invalid: Invalid = {
  "nothing said of the encoding": {
    document: taking({ ...email, description: "The address." }),
    findings: [
      error(at, "Add to the description of the parameter email that the email address is URL encoded."),
    ],
  },
  "any text": {
    document: taking({ ...email, schema: { type: "string" } }),
    findings: [error(at, "Set format: email on the schema of the parameter email.")],
  },
  "reserved characters let through": {
    document: taking({ ...email, allowReserved: true }),
    findings: [error(at, "Remove allowReserved from the parameter email: the email address is URL encoded.")],
  },
};
