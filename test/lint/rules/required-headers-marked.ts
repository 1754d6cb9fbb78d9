import { answerAt, answering, error, type Invalid, type Valid, withHeaders } from "../fragments.ts";

export const valid: Valid = {
  "headers that always come, and that may not": answering(
    "200",
    withHeaders({ Always: { required: true }, Perhaps: { required: false } }),
  ),
};

export const invalid: Invalid = {
  "a header that does not say": {
    document: answering("200", withHeaders({ Perhaps: { description: "Who knows." } })),
    findings: [
      error(
        `${answerAt("200")}/headers/Perhaps`,
        "Write required: true or required: false on the header Perhaps of the 200 answer of getThing, as it always comes or not.",
      ),
    ],
  },
  "a shared header that does not say": {
    document: answering("200", withHeaders({ Perhaps: { $ref: "#/components/headers/Shared" } }), {
      components: { headers: { Shared: {} } },
    }),
    findings: [
      error(
        "/components/headers/Shared",
        "Write required: true or required: false on the header Shared, as it always comes or not.",
      ),
    ],
  },
};
