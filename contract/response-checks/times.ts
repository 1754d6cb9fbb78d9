import { type Exchange, isSuccess } from "../exchange.ts";
import { finding, type ResponseFinding } from "./finding.ts";

/** Every time in a success response is in UTC. */
export function timesAreInUtc(exchange: Exchange): ResponseFinding[] {
  if (!isSuccess(exchange)) return [];
  const times = timesIn(exchange.json);
  const wrong = times.find(([, time]) => !/(Z|[+-]00:?00)$/i.test(time));
  return times.length === 0
    ? []
    : [
        finding(["GEN-7"], "has times in UTC", wrong === undefined, () => ({
          expected: `${wrong?.[0]} in UTC, with Z at its end`,
          found: `${wrong?.[0]} is ${wrong?.[1]}`,
        })),
      ];
}

/** Objects whose property names users choose: a name like that of a time means nothing there. */
const chosen = ["fields", "tags"];

/** The times in a body with their names: `at` or `..._at`. */
function timesIn(value: unknown, found: [string, string][] = []): [string, string][] {
  if (typeof value !== "object" || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    if (chosen.includes(name) && !Array.isArray(inner)) continue;
    if (typeof inner === "string" && (name === "at" || name.endsWith("_at"))) found.push([name, inner]);
    else timesIn(inner, found);
  }
  return found;
}
