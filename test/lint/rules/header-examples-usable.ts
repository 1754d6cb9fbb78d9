import { answerAt, answering, error, type Invalid, type Valid, withHeaders } from "../fragments.ts";

const shown = (example: unknown) => answering("200", withHeaders({ Left: { example } }));
const finding = error(
  `${answerAt("200")}/headers/Left`,
  "Give the header Left a text or a number other than 0 as its example.",
);

export const valid: Valid = { "a number": shown(117), "a text": shown("GET, PATCH") };

export const invalid: Invalid = {
  "nothing left": { document: shown(0), findings: [finding] },
  "an empty text": { document: shown(""), findings: [finding] },
  "a list": { document: shown(["GET", "PATCH"]), findings: [finding] },
};
