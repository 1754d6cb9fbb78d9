import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "fields in snake_case": schema({ properties: { id: {}, sent_at: {}, line_2: {} } }),
};

export const invalid: Invalid = {
  "a field in another style": {
    document: schema({ properties: { sentAt: {} } }),
    findings: [error(`${thing}/properties/sentAt`, "Change the name of Thing.sentAt to snake_case.")],
  },
};
