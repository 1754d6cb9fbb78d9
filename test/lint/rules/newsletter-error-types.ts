import type { Node } from "../../../scripts/document/values.ts";
import { error, failing, failure, type Invalid, responseAt, row, type Valid } from "../fragments.ts";

/** A document whose one operation belongs to the newsletter. */
const newsletter = (examples: Node, rows: Node[], tag: Node = { "x-error-types": ["not_found"] }): Node => {
  const made = failing("404", examples, rows, { tags: [{ name: "Newsletter", ...tag }] });
  const paths = structuredClone(made.paths) as Record<string, { get: Node }>;
  for (const item of Object.values(paths)) item.get.tags = ["Newsletter"];
  return { ...made, paths };
};

export const valid: Valid = {
  "a permitted type": newsletter({ not_found: failure("not_found") }, [row(404, "not_found")]),
  "a 5xx without a type": newsletter({}, [row(500, null)]),
  "any type outside the newsletter": failing("409", { taken: failure("send_rejected") }, [
    row(409, "send_rejected"),
  ]),
};

export const invalid: Invalid = {
  "a row with another type": {
    document: newsletter({}, [row(409, "send_rejected")]),
    findings: [
      error(
        "/x-errors/0",
        "Remove getThing from the row 409.send_rejected: the newsletter API does not return send_rejected.",
      ),
    ],
  },
  "an example with another type": {
    document: newsletter({ gone: failure("gone") }, []),
    findings: [
      error(
        `${responseAt("404")}/content/application~1json/examples/gone`,
        "Remove the example gone from getThing: the newsletter API does not return gone.",
      ),
    ],
  },
  "a tag without its list": {
    document: newsletter({}, [], {}),
    findings: [error("/tags/0", "Add x-error-types to the tag Newsletter.")],
  },
};
