import { document, error, type Invalid, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "different names": document({
    components: { schemas: { MessageId: {} }, parameters: { MessageIdParameter: {} } },
  }),
  "an example named like a schema": document({
    components: { schemas: { Message: {} }, examples: { Message: {} } },
  }),
};

export const invalid: Invalid = {
  "a parameter named like a schema": {
    document: document({ components: { schemas: { MessageId: {} }, parameters: { MessageId: {} } } }),
    findings: [
      error(
        "/components/parameters/MessageId",
        "Rename the component MessageId: components/schemas has this name too.",
      ),
    ],
  },
  "names that differ in case only": {
    document: document({ components: { schemas: { Id: {} }, headers: { ID: {} } } }),
    findings: [
      error("/components/headers/ID", "Rename the component ID: components/schemas has this name too."),
    ],
  },
};
