import schema from "../../../contract/client-suite/driver/driver-protocol.schema.json" with { type: "json" };
import { operations } from "../../../generated/operations.ts";
import { describePath, schemaProblems } from "../../../lib/schema-errors.ts";
import { type CallError, type Capabilities, DriverError, type Reply } from "./driver.ts";

const maxShown = 200;

const definition = (name: "ready" | "reply"): object => ({
  $schema: schema.$schema,
  $ref: `#/$defs/${name}`,
  $defs: schema.$defs,
});
const lines = {
  ready: { name: "first line", schema: definition("ready") },
  reply: { name: "reply", schema: definition("reply") },
};

/**
 * Reads the first line of a driver.
 * @throws DriverError if it is invalid
 */
export function readCapabilities(line: string): Capabilities {
  const { protocol: _, ...capabilities } = parse(line, lines.ready) as Capabilities & { protocol: number };
  const unknown = capabilities.operations.find((name) => !Object.hasOwn(operations, name));
  if (unknown === undefined) return capabilities;
  throw new DriverError(
    `The driver names an unknown operation (got ${JSON.stringify(unknown)}); the operations are ${Object.keys(operations).join(", ")}.`,
  );
}

/**
 * Reads the reply to a call.
 * @throws DriverError if it is invalid, or replies to another call
 */
export function readReply(line: string, call: number): Reply {
  const { call: number, ...read } = parse(line, lines.reply) as { call: number } & Reply;
  const reply = withoutNull(read);
  if (number !== call)
    throw new DriverError(`The driver replied to call ${number} in place of call ${call}: ${shown(line)}`);
  if ("error" in reply && reply.error.kind === "response" && reply.error.status === undefined)
    throw new DriverError(`The driver wrote an error of the kind "response" without status: ${shown(line)}`);
  return reply;
}

/** Without a status that is null: the driver says that there is none. */
function withoutNull(reply: Reply): Reply {
  if (!("error" in reply)) return reply;
  const { status, ...error }: Omit<CallError, "status"> & { status?: number | null } = reply.error;
  return { error: { ...error, ...(status != null && { status }) } };
}

function parse(line: string, { name, schema: own }: { name: string; schema: object }): unknown {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new DriverError(notJson(line));
  }
  const [problem] = schemaProblems(own, value);
  if (problem === undefined) return value;
  const what = `${describePath(problem.path)} ${problem.message}`.replace(/^the document /, "it ");
  throw new DriverError(`The driver wrote an invalid ${name}: ${what}: ${shown(line)}`);
}

function notJson(line: string): string {
  if (line.startsWith("\uFEFF"))
    return `The driver wrote a byte order mark (U+FEFF) before its line: ${shown(line.slice(1))}. Write UTF-8 without one.`;
  const what = `The driver wrote a line to standard output that is not JSON: ${shown(line)}.`;
  return /^\s*[[{]\s*$/.test(line)
    ? `${what} Write each object on one line.`
    : `${what} Write logs to standard error.`;
}

/** A line as an error shows it. */
export const shown = (line: string): string =>
  JSON.stringify(line.length <= maxShown ? line : `${line.slice(0, maxShown)}...`);
