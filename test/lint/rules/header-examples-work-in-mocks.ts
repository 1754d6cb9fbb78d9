import { error, type Invalid, responseAt, type Valid, withHeaders, withResponse } from "../fragments.ts";

const shown = (example: unknown) => withResponse("200", withHeaders({ Left: { example } }));
const finding = error(
  `${responseAt("200")}/headers/Left`,
  "Set the example of the header Left to a non-empty string or a number other than 0.",
);

export const valid: Valid = { "a number": shown(117), "a text": shown("GET, PATCH") };

export const invalid: Invalid = {
  "nothing left": { document: shown(0), findings: [finding] },
  "an empty text": { document: shown(""), findings: [finding] },
  "a list": { document: shown(["GET", "PATCH"]), findings: [finding] },
};
