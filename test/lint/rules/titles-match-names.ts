import { document, error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "the name": document({ components: { schemas: { SendRequest: { title: "SendRequest" } } } }),
  "no title": schema({}),
};

export const invalid: Invalid = {
  "another name": {
    document: schema({ title: "Some thing" }),
    findings: [error(`${thing}/title`, "Make the title of Thing its name, or remove it.")],
  },
  "a title of a property": {
    document: schema({ properties: { id: { title: "Id" } } }),
    findings: [
      error(`${thing}/properties/id/title`, "Remove the title of Thing.id, which is not a component."),
    ],
  },
};
