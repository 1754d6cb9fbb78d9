import { type OperationRow, operations } from "../../generated/operations.ts";
import {
  type Failure,
  type FailureEntry,
  type FailureMatch,
  isPathMatch,
  TooManyFailures,
} from "../api/simulated-failure.ts";
import type { Directory } from "../seed/directory.ts";
import { durationField, millisecondsOf } from "./clock.ts";
import { ControlError, type Field, type GatewayServices, json, type Operation } from "./operation.ts";

/** The failures by name, as the control API and the form take them, with what happens to the request. */
export const failureNames = {
  429: "429 rate_limited, with Retry-After",
  500: "500",
  "500-empty": "500 without a body",
  502: "502",
  503: "503",
  delay: "delay: responds late",
  cut: "cut: closes the connection after processing",
} as const;

type FailureName = keyof typeof failureNames;

/** The value of `requests` for all requests until the failure is ended. */
const allRequests = "all";

export function nameOf(failure: Failure): `${FailureName}` {
  if (failure.kind === "rate limit") return "429";
  if (failure.kind !== "status") return failure.kind;
  return failure.status === 500 && !failure.body ? "500-empty" : `${failure.status}`;
}

/** An active failure with the fields that add it. */
const failureView = ({ id, failure, requests, match, hits = 0 }: FailureEntry) => ({
  id,
  failure: nameOf(failure),
  ...(failure.kind === "delay" && { delay: failure.milliseconds }),
  ...(failure.kind === "rate limit" && { retry_after: failure.retryAfter }),
  requests: requests ?? allRequests,
  ...match,
  failed: hits,
});

const longestDelay = 600_000;

const rows: OperationRow[] = Object.values(operations);

export const methods = [...new Set(rows.map(({ method }) => method))];
export const paths = [...new Set(rows.map(({ path }) => path))];

const failureFields: Record<string, Field> = {
  failure: {
    type: "string",
    description:
      "429 (`rate_limited`), an error status (500-empty: without a body), delay (responds late), or cut (processes the request, then closes the connection without a response)",
    enum: Object.keys(failureNames),
  },
  requests: {
    type: ["string", "integer"],
    description: "how many requests fail, or `all` until the failure is ended; default: 1",
    pattern: `^${allRequests}$`,
    minimum: 1,
    maximum: 1_000_000,
  },
  delay: {
    ...durationField,
    description: "for delay: a duration such as PT2S, or a number of milliseconds; at most 10 minutes",
  },
  retry_after: {
    type: "integer",
    description: "for 429: the seconds of `Retry-After`; default: 1",
    minimum: 1,
    maximum: 86_400,
  },
  method: {
    type: "string",
    description: "the method of the requests that fail; default: any",
    enum: methods,
  },
  path: {
    type: "string",
    description:
      "their path template such as `/api/v1/emails/{id}`, or the start of one with `*` at its end; default: any",
    maxLength: 200,
  },
  key: { type: "string", description: "their API key, its id or its label; default: any", maxLength: 500 },
  share: {
    type: "number",
    description: "which part of them fails, up to 1: 0.25 is every fourth; default: all",
    exclusiveMinimum: 0,
    maximum: 1,
  },
};

/** A type alias, because an interface is no `Input`. */
type FailureInput = {
  failure: `${FailureName}`;
  requests?: number | typeof allRequests;
  delay?: string | number;
  retry_after?: number;
} & Pick<FailureMatch, keyof FailureMatch>;

/** Which failures the properties are for. */
const ownProperties = { delay: "delay", retry_after: "429" } as const;

const isOfOther = ({ failure }: { failure?: string | undefined }, name: string): boolean =>
  Object.hasOwn(ownProperties, name) && ownProperties[name as keyof typeof ownProperties] !== failure;

/** The fields of a form without those of other failures: it has fields for all of them. */
export const withoutOthers = (fields: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !isOfOther(fields, name)));

/** @throws ControlError for a property of another failure, which would have no effect */
function rejectOthers(input: FailureInput): void {
  for (const [name, failure] of Object.entries(ownProperties))
    if (Object.hasOwn(input, name) && isOfOther(input, name))
      throw new ControlError(
        `\`${name}\` is for the failure ${failure} only (got the failure ${input.failure}).`,
        `Leave \`${name}\` out, or use the failure ${failure}.`,
      );
}

function failureOf({ failure, delay, retry_after: retryAfter = 1 }: FailureInput): Failure {
  if (failure === "429") return { kind: "rate limit", retryAfter };
  if (failure === "cut") return { kind: failure };
  if (failure === "500-empty") return { kind: "status", status: 500, body: false };
  if (failure !== "delay") return { kind: "status", status: Number(failure) as 500, body: true };
  const milliseconds = delay === undefined ? 0 : millisecondsOf(delay);
  if (milliseconds > 0 && milliseconds <= longestDelay) return { kind: "delay", milliseconds };
  throw new ControlError(
    delay === undefined
      ? "`delay` is required for the failure delay."
      : `\`delay\` must be from 1 millisecond to 10 minutes (got ${JSON.stringify(delay)}).`,
    'Example: {"failure": "delay", "delay": "PT2S"}',
  );
}

/** The conditions of a failure; undefined without any. One that no request can meet is rejected. */
function matchOf(directory: Directory, { method, path, key, share }: FailureInput): FailureMatch | undefined {
  const isMet = (row: OperationRow): boolean =>
    (method ?? row.method) === row.method && (path === undefined || isPathMatch(path, row.path));
  if (!rows.some(isMet))
    throw new ControlError(
      method === undefined
        ? `\`path\` matches no operation (got ${JSON.stringify(path)}).`
        : `No operation has the \`method\` ${method} and the \`path\` ${path}.`,
      `The operations: ${rows.map((row) => `${row.method} ${row.path}`).join(", ")}.`,
    );
  const match = { method, path, key: key === undefined ? key : keyNameOf(directory, key), share };
  return Object.values(match).every((value) => value === undefined) ? undefined : match;
}

/** The id or label as it was given. A key itself becomes its id: no response and no page may contain it. */
function keyNameOf(directory: Directory, given: string): string {
  const keys = directory.keys();
  if (keys.some(({ id, label }) => id === given || label === given)) return given;
  const key = directory.key(given);
  if (key !== undefined) return key.id;
  const ids = keys.map(({ id }) => id).join(", ");
  throw new ControlError("`key` is not an API key, nor the id or the label of one.", `The ids: ${ids}.`);
}

const activeFailures = ({ failures }: GatewayServices, added = {}) =>
  json({ ...added, failures: failures.pending().map(failureView) });

async function addFailure(services: GatewayServices, input: FailureInput): Promise<string> {
  rejectOthers(input);
  const { requests = 1 } = input;
  const match = matchOf(services.directory, input);
  try {
    return await services.failures.add(failureOf(input), requests === allRequests ? null : requests, match);
  } catch (error) {
    if (!(error instanceof TooManyFailures)) throw error;
    throw new ControlError(error.message, "End them with DELETE /sandbox/failures.", 409);
  }
}

export const failureOperations: Operation[] = [
  {
    method: "GET",
    path: "/sandbox/failures",
    summary: "Lists the active failures with their ids, and how many requests have failed.",
    run: (services) => activeFailures(services),
  },
  {
    method: "POST",
    path: "/sandbox/failures",
    summary:
      "Makes the next API requests fail: all, or those that meet the conditions. A request gets the oldest failure that matches it.",
    fields: failureFields,
    required: ["failure"],
    example: { failure: "503", requests: 2 },
    async run(services, input: FailureInput) {
      return activeFailures(services, { id: await addFailure(services, input) });
    },
  },
  {
    method: "DELETE",
    path: "/sandbox/failures",
    summary: "Ends all failures.",
    async run(services) {
      await services.failures.clear();
      return activeFailures(services);
    },
  },
  {
    method: "DELETE",
    path: "/sandbox/failures/{id}",
    summary: "Ends one failure.",
    async run(services, { id = "" }: { id?: string }) {
      if (await services.failures.remove(id)) return activeFailures(services);
      throw ControlError.unknownId("failure", id, "List the active ones with GET /sandbox/failures.");
    },
  },
];
