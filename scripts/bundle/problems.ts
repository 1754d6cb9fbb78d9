import { getLineColLocation, type NormalizedProblem, parseYaml, YamlParseError } from "@redocly/openapi-core";
import { UserError } from "../../lib/user-error.ts";
import { displayPath } from "../common/display-path.ts";
import { valueAtPointer } from "../document/json-pointer.ts";
import { nodeOf, textOf } from "../document/values.ts";

/** What to do about a problem in a source file. */
const hint = "Fix that line and run the command again. Nothing was written.";

/** A problem of a source file: `file:line:column: what is wrong`. */
interface Problem {
  text: string;
  /** Whether it is the cause of others: a file that is not YAML is also an unresolved `$ref` everywhere else. */
  isCause: boolean;
}

/** The first of Redocly's problems (or its exception) as an error, with the number of others. */
export function bundleError(found: readonly unknown[]): unknown {
  const problems = found.map((one) =>
    one instanceof Error ? ofException(one) : ofReport(one as NormalizedProblem),
  );
  if (problems.includes(undefined)) return found[0];
  const known = problems.filter((one) => one !== undefined);
  const causes = known.filter(({ isCause }) => isCause);
  const [first, ...others] = new Set((causes.length > 0 ? causes : known).map(({ text }) => text));
  return new UserError(`${first}${others.length === 0 ? "" : ` (and ${others.length} more)`}`, { hint });
}

/** An exception for the root file; undefined if it is not about the file. */
function ofException(error: Error): Problem | undefined {
  if (!(error instanceof YamlParseError)) return undefined;
  const { source, line, col } = error;
  return invalidYaml(`${displayPath(source.absoluteRef)}:${line}:${col}`, error.message);
}

function ofReport({ message, location: [location] }: NormalizedProblem): Problem {
  if (location === undefined) return { text: message, isCause: false };
  const { source } = location;
  const { line, col } = getLineColLocation(location).start;
  const place = `${displayPath(source.absoluteRef)}:${line}:${col}`;
  if (message.startsWith("Failed to parse: "))
    return invalidYaml(place, message.slice("Failed to parse: ".length));
  if (!message.startsWith("Can't resolve $ref")) return { text: `${place}: ${message}`, isCause: false };
  const owner = nodeOf(valueAtPointer(parseYaml(source.body), location.pointer ?? ""));
  const missing = /no such file or directory '(?<file>[^']+)'/.exec(message)?.groups?.file;
  const reason = missing ? `there is no file ${displayPath(missing)}` : "it does not exist";
  return { text: `${place}: cannot resolve "${textOf(owner.$ref)}": ${reason}`, isCause: false };
}

/** Without the file and the position at the end of the parser's message. */
const invalidYaml = (place: string, reason: string): Problem => ({
  text: `${place}: invalid YAML: ${reason.replace(/ in "[^"]*" \(\d+:\d+\)$/, "")}`,
  isCause: true,
});
