import { UserError } from "../../../lib/user-error.ts";

const ids = "x-encodes x-leaves-unspecified";

/** The keys of each part of an operation that the pages show. Schemas have their own table, in schema/constraints.ts. */
const shown = {
  operation: `operationId summary description tags deprecated parameters requestBody responses security ${ids}`,
  parameter: `name in required description schema example ${ids}`,
  requestBody: "required description content",
  response: `description headers content links x-empty-body ${ids}`,
  header: `required description schema example x-operations ${ids}`,
  mediaType: "schema examples",
  example: "summary description value",
};

/** @throws UserError for a key that no page shows: the reference omits nothing silently */
export function assertRendered(kind: keyof typeof shown, part: object): void {
  const unknown = Object.keys(part).find((key) => !shown[kind].split(" ").includes(key));
  if (unknown === undefined) return;
  const excerpt = JSON.stringify(part).slice(0, 80);
  throw new UserError(`the reference does not show the key ${unknown} (${kind}): ${excerpt}`, {
    hint: "Show it in scripts/docs/parts/ or pages/operation.ts, then list it in parts/assert-rendered.ts.",
  });
}
