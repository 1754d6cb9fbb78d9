import { errors } from "../../generated/errors.ts";
import { limits } from "../../generated/limits.ts";
import {
  methodsByPath,
  type OperationId,
  type OperationRow,
  type OperationWithInput,
  operations,
} from "../../generated/operations.ts";
import { gatewayResponses, responses } from "../../generated/validators/responses.js";
import { factFaults } from "./facts.ts";
import { mail, type RequestOptions, type Rig, start, time } from "./rig.ts";

/** A response of the sandbox as a test sees it. */
export interface SeenResponse {
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  /** By their names in lower case. */
  headers: Record<string, string>;
  text: string;
}

interface Validator {
  (data: unknown): boolean;
  errors: unknown;
}

interface Documented {
  body: Validator | null;
  headers: Validator;
  mayBeEmpty: boolean;
}

const patterns = Object.keys(methodsByPath).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

/** The operation that a request matches, if any. A path without parameters comes before a template. */
function operationOf(method: string, path: string): OperationRow | undefined {
  const known =
    patterns.find((candidate) => candidate.path === path) ??
    patterns.find(({ pattern }) => pattern.test(path));
  return Object.values(operations).find((row) => row.method === method && row.path === known?.path);
}

/** Everything in which a response is not what the contract requires: its shape, its headers, and facts across its fields. */
function responseFaults(response: SeenResponse): string[] {
  const operation = operationOf(response.method, response.path);
  const documented = documentedResponse(response, operation);
  if (documented === undefined)
    return [`no ${response.status} is documented for ${response.method} ${response.path}`];
  const faults = headerFaults(response, operation);
  if (!documented.headers(response.headers))
    faults.push(`headers: ${JSON.stringify(documented.headers.errors)}`);
  if (response.text === "") {
    return documented.mayBeEmpty ? faults : [...faults, "the body is missing"];
  }
  const body: unknown = JSON.parse(response.text);
  if (documented.body !== null && !documented.body(body)) {
    faults.push(`body: ${JSON.stringify(documented.body.errors)}`);
  }
  if (response.status >= 400) faults.push(...errorFaults(response, operation, body));
  else if (operation !== undefined) faults.push(...factFaults(operation.id, body));
  return faults;
}

function documentedResponse(
  { status }: SeenResponse,
  operation: OperationRow | undefined,
): Documented | undefined {
  const gateway = gatewayResponses as unknown as Record<string, Documented | undefined>;
  if (operation === undefined) return gateway[status];
  const all = responses as unknown as Record<string, Record<string, Documented | undefined>>;
  const documented = all[operation.id] ?? {};
  return documented[status] ?? (status >= 200 && status < 300 ? documented["2XX"] : undefined);
}

function headerFaults({ status, headers }: SeenResponse, operation: OperationRow | undefined): string[] {
  const faults: string[] = [];
  const expect = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  const success = status < 300;
  const sends = operation?.id === "sendEmail" || operation?.id === "sendBatch";
  expect(headers["x-service-request-id"] !== undefined, "no request id");
  expect(
    success === (headers["x-ratelimit-limit"] !== undefined),
    "rate headers stand on successes, and only there",
  );
  expect(
    success === (headers["x-ratelimit-remaining"] !== undefined),
    "rate headers stand on successes, and only there",
  );
  expect(
    Number(headers["x-ratelimit-limit"] ?? limits.requestsPerMinute) === limits.requestsPerMinute,
    "another rate limit",
  );
  const quota = headers["x-service-monthly-quota"] !== undefined;
  expect(
    quota === (headers["x-service-monthly-remaining"] !== undefined),
    "one quota header without the other",
  );
  expect(quota === (success && sends), "quota headers stand on successful sends, and only there");
  expect((status === 405) === (headers.allow !== undefined), "Allow stands on 405");
  const replayed = headers["idempotent-replayed"];
  expect(
    replayed === undefined || (replayed === "true" && operation?.idempotent === true && success),
    "a strange replay",
  );
  return faults;
}

function errorFaults(response: SeenResponse, operation: OperationRow | undefined, body: unknown): string[] {
  const { error } = body as { error: { type: string; request_id: string; message: string; fields?: object } };
  const faults: string[] = [];
  if (error.request_id !== response.headers["x-service-request-id"]) faults.push("two different request ids");
  const rows = Object.values(errors).filter((row) => row.status === response.status);
  const row = rows.find(({ type }) => type === null || type === error.type);
  if (row === undefined) faults.push(`${response.status} ${error.type} is not in the error table`);
  const operationRows = rows.filter(({ type }) => type === null || type === error.type);
  const belongs = operationRows.some(({ operations: of }) =>
    operation === undefined ? of.length === 0 : (of as readonly string[]).includes(operation.id),
  );
  if (!belongs)
    faults.push(`${response.status} ${error.type} does not belong to ${operation?.id ?? "the gateway"}`);
  if (error.type === "invalid_request" && Object.keys(error.fields ?? {}).length === 0)
    faults.push("no field is named");
  if (error.type === "rate_limited" && !/^[1-9]\d*$/.test(response.headers["retry-after"] ?? ""))
    faults.push("no Retry-After");
  if (/\bat [^"]+:\d+:\d+|node:internal|sandbox_[a-z_]+_[0-9a-f]{4}/.test(response.text))
    faults.push("a stack or key leaks");
  return faults;
}

/** Fails the test when a response is not what the contract requires. */
export function checkResponse(response: SeenResponse): void {
  const faults = responseFaults(response);
  if (faults.length === 0) return;
  throw new Error(
    `${response.method} ${response.path} -> ${response.status}: ${faults.join("; ")}\n${response.text.slice(0, 2000)}`,
  );
}

/** A request to an operation, without what a test changes. */
export interface OperationRequest {
  method: string;
  path: string;
  body?: unknown;
}

/** Schedules a message. @returns its id */
export async function scheduled(rig: Rig, options?: RequestOptions): Promise<string> {
  const response = await rig.post("/api/v1/emails", mail({ scheduled_at: time(start + 3_600_000) }), options);
  return response.body.id;
}

type Input = Pick<OperationRequest, "body"> & { parameter?: string };

/** The path parameter and the body with which a request to an operation succeeds on a fresh sandbox. */
const inputs: Record<OperationWithInput, (rig: Rig) => Input | Promise<Input>> = {
  sendEmail: () => ({ body: mail() }),
  sendBatch: () => ({ body: { emails: [mail(), mail()] } }),
  getEmail: async (rig) => ({ parameter: await scheduled(rig) }),
  rescheduleEmail: async (rig) => ({
    parameter: await scheduled(rig),
    body: { scheduled_at: time(start + 7_200_000) },
  }),
  cancelEmail: async (rig) => ({ parameter: await scheduled(rig) }),
  upsertContact: () => ({ body: { email: "new@readers.example", list_id: 2 } }),
  getContact: () => ({ parameter: "subscribed@readers.example" }),
  unsubscribeContact: () => ({ parameter: "subscribed@readers.example", body: { list_id: 1 } }),
};

/** A request to an operation that succeeds on a fresh sandbox. */
export async function validRequest(rig: Rig, operation: OperationId): Promise<OperationRequest> {
  const { parameter = "", body } =
    operation in inputs ? await inputs[operation as OperationWithInput](rig) : {};
  const { method, path } = operations[operation];
  return { method, path: path.replace(/\{\w+\}/, encodeURIComponent(parameter)), body };
}

/** Sends a request to an operation. */
export const make = (rig: Rig, { method, path, body }: OperationRequest, options: RequestOptions = {}) =>
  rig.call(method, path, body === undefined ? options : { body, ...options });
