import type { Node } from "../../../scripts/document/values.ts";
import { error, type Invalid, operation, row, type Valid } from "../fragments.ts";

/** A document whose one operation belongs to a tag like this, and that has these rows of errors. */
const things = (tag: Node, rows: Node[]): Node =>
  operation({ tags: ["Things"] }, { tags: [{ name: "Things", ...tag }], "x-errors": rows });

const unverified = row(409, "send_rejected");

export const valid: Valid = {
  "operations that send email": things({ "x-requires-verified-domain": true }, [unverified]),
  "operations that send none": things({}, [row(404, "not_found")]),
};

export const invalid: Invalid = {
  "a send without the mark": {
    document: things({}, [unverified]),
    findings: [
      error("/tags/0", "Add x-requires-verified-domain: true to the tag Things: getThing sends email."),
    ],
  },
  "a mark that is false": {
    document: things({ "x-requires-verified-domain": false }, [unverified]),
    findings: [
      error("/tags/0", "Add x-requires-verified-domain: true to the tag Things: getThing sends email."),
    ],
  },
  "a mark without a send": {
    document: things({ "x-requires-verified-domain": true }, [row(404, "not_found")]),
    findings: [
      error(
        "/tags/0/x-requires-verified-domain",
        "Remove x-requires-verified-domain from the tag Things: no operation of it sends email.",
      ),
    ],
  },
};
