import { error, type Invalid, responseAt, type Valid, withHeaders, withResponse } from "../fragments.ts";

export const valid: Valid = {
  "headers that always come, and that may not": withResponse(
    "200",
    withHeaders({ Always: { required: true }, Perhaps: { required: false } }),
  ),
};

export const invalid: Invalid = {
  "a header that does not say": {
    document: withResponse("200", withHeaders({ Perhaps: { description: "Who knows." } })),
    findings: [
      error(
        `${responseAt("200")}/headers/Perhaps`,
        "Set required on the header Perhaps of the 200 response of getThing.",
      ),
    ],
  },
  "a shared header that does not say": {
    document: withResponse("200", withHeaders({ Perhaps: { $ref: "#/components/headers/Shared" } }), {
      components: { headers: { Shared: {} } },
    }),
    findings: [error("/components/headers/Shared", "Set required on the header Shared.")],
  },
};
