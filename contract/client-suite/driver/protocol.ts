import { type OperationId, operations } from "../../../generated/operations.ts";
import type {
  DriverCall,
  DriverReady,
  DriverStart,
  DriverError as ErrorLine,
} from "../../../generated/schema-types.ts";
import { jsonOf } from "../../../lib/objects.ts";
import { describePath, schemaProblems } from "../../../lib/schema-errors.ts";
import { Unreachable } from "../../engine/http.ts";
import { shown } from "../../text.ts";
import schema from "./driver-protocol.schema.json" with { type: "json" };

/** The version of the driver protocol, whose lines `driver-protocol.schema.json` describes. */
export const protocolVersion = 1;

export type Capabilities = Omit<DriverReady, "protocol">;

export interface Call extends Omit<DriverCall, "call" | "operation"> {
  operation: OperationId;
}

export type CallError = ErrorLine;

export type Reply = { result: unknown } | { error: CallError };

/** The driver itself fails: it ends, stays silent or writes something else than the protocol allows. */
export class DriverError extends Unreachable {}

/** A client behind a driver. Of calls at the same time, it may process one after the other. */
export interface Driver {
  readonly capabilities: Capabilities;
  /**
   * Calls the client.
   * @param replyTimeout milliseconds until the reply must be there
   * @returns undefined if there is no reply in time; the driver is then closed
   * @throws DriverError if the driver ends, or writes something else than a reply
   */
  call(call: Call, replyTimeout: number): Promise<Reply | undefined>;
  /** Whether it still processes calls. */
  readonly isOpen: boolean;
  /** What it wrote so far, on standard output and standard error, except for what was read before; at most the last 64 KiB. */
  takeOutput(): string;
  close(): Promise<void>;
}

/** What to ask if a driver writes no line although it does when it is run by hand. */
export const flushQuestion =
  "Does it flush standard output after each line? Many programs do so by themselves only in a terminal.";

export type StartDriver = (start: Omit<DriverStart, "protocol">) => Promise<Driver>;

/** The length of a line in an error, in characters. */
export const maxShown = 200;

const definition = (name: "ready" | "reply"): object => ({
  $schema: schema.$schema,
  $ref: `#/$defs/${name}`,
  $defs: schema.$defs,
});
const lines = {
  ready: { name: "first line", schema: definition("ready") },
  reply: { name: "reply", schema: definition("reply") },
};

/** Reads the first line of a driver. @throws DriverError if it is invalid */
export function readCapabilities(line: string): Capabilities {
  const { protocol: _, ...capabilities } = parse(line, lines.ready) as Capabilities & { protocol: number };
  const unknown = capabilities.operations.find((name) => !Object.hasOwn(operations, name));
  if (unknown === undefined) return capabilities;
  throw new DriverError(
    `The driver names an unknown operation (got ${JSON.stringify(unknown)}); the operations are ${Object.keys(operations).join(", ")}.`,
  );
}

/** Reads the reply to one of some calls, and its number. @throws DriverError if it is invalid, or replies to another call */
export function readReply(line: string, ...calls: number[]): [call: number, reply: Reply] {
  const { call: number, ...reply } = parse(line, lines.reply) as { call: number } & Reply;
  if (!calls.includes(number))
    throw new DriverError(
      `The driver replied to call ${number} in place of call ${calls.join(" or ")}: ${shown(line, maxShown)}`,
    );
  if ("error" in reply && reply.error.kind === "response" && reply.error.status == null)
    throw new DriverError(
      `The driver wrote an error of the kind "response" without status: ${shown(line, maxShown)}`,
    );
  return [number, reply];
}

function parse(line: string, { name, schema: own }: { name: string; schema: object }): unknown {
  const value = jsonOf(line);
  if (value === undefined)
    throw new DriverError(
      `The driver wrote a line to standard output that is not JSON: ${shown(line, maxShown)}. Write each object on one line in UTF-8, without a byte order mark, and logs to standard error.`,
    );
  const [problem] = schemaProblems(own, value);
  if (problem === undefined) return value;
  const what = `${describePath(problem.path)} ${problem.message}`.replace(/^the document /, "it ");
  throw new DriverError(`The driver wrote an invalid ${name}: ${what}: ${shown(line, maxShown)}`);
}
