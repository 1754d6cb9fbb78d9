import type { CallError } from "../../contract/client-suite/driver/protocol.ts";
import type { RequirementId } from "../mutants/mutant.ts";
import { type ClientMutant, violating } from "./client-mutant.ts";

/** Errors of the service with some of their properties changed. */
const changesErrors = (
  requirement: RequirementId,
  title: string,
  change: (error: CallError) => Partial<CallError>,
): ClientMutant =>
  violating(requirement).rejects(title, (error) =>
    error.kind === "response" ? { error: { ...error, ...change(error) } } : undefined,
  );

const byStatus: Record<number, string> = { 404: "not_found", 409: "send_rejected", 422: "invalid_request" };

/** The message of the service in an error of the client. */
const messageOf = ({ message = "" }: CallError): string =>
  message
    .replace(/^\w+: \d+( \w+)?: /, "")
    .split("\n", 1)
    .join();

const mapFields = (
  { fields = null }: CallError,
  change: (name: string, reasons: string[]) => [string, string[]],
): Partial<CallError> => ({
  fields:
    fields && Object.fromEntries(Object.entries(fields).map(([name, reasons]) => change(name, reasons))),
});

/** The properties of errors. */
export const errorMutants = [
  changesErrors("ERR-2", "reports no error type", () => ({ type: null })),
  changesErrors("ERR-2", "derives the error type from the status", ({ status = 0, type = null }) => ({
    type: byStatus[status] ?? type,
  })),
  changesErrors("ERR-2", "reports error types in upper case", ({ type = null }) => ({
    type: type === null ? null : type.toUpperCase(),
  })),
  changesErrors("ERR-2", "reports error types in camel case", ({ type = null }) => ({
    type: type === null ? null : type.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
  })),
  changesErrors("ERR-2", "reports every 4xx as invalid_request", ({ status = 0, type = null }) => ({
    type: status < 500 ? "invalid_request" : type,
  })),
  changesErrors("ERR-3", "derives the error type from words of the message", (error) => ({
    type: /suppressed|cannot be sent|rejected/i.test(messageOf(error))
      ? "send_rejected"
      : (error.type ?? null),
  })),
  changesErrors("ERR-3", "derives the error type from the first word of the message", (error) => ({
    type: /^\w+/.exec(messageOf(error))?.[0].toLowerCase() ?? null,
  })),
  changesErrors("ERR-3", "derives the error type from `not found` in the message", (error) => ({
    type: /not found|unknown|no (message|contact|list)/i.test(messageOf(error))
      ? "not_found"
      : (error.type ?? null),
  })),

  changesErrors("ERR-2", "reports each 4xx as status 400", ({ status = 0 }) => ({
    status: status < 500 ? 400 : status,
  })),
  changesErrors("ERR-2", "reports each error as status 500", () => ({ status: 500 })),
  violating("ERR-2").rejects("returns the error object as a result", ({ kind, type }) =>
    kind === "response" ? { result: { error: { type } } } : undefined,
  ),
  violating("ERR-2").rejects("returns null in place of 404", ({ status }) =>
    status === 404 ? { result: null } : undefined,
  ),
  violating("ERR-2").rejects("reports errors of the service as lost connections", ({ kind, message = "" }) =>
    kind === "response" ? { error: { kind: "connection", message } } : undefined,
  ),
  changesErrors("ERR-5", "reports an id of its own as the request id", () => ({
    requestId: crypto.randomUUID(),
  })),
  changesErrors("ERR-5", "reports no request id", () => ({ requestId: null })),

  changesErrors("ERR-4", "drops the field errors", () => ({ fields: null })),
  changesErrors("ERR-4", "reports the first field error only", ({ fields = null }) => ({
    fields: fields && Object.fromEntries(Object.entries(fields).slice(0, 1)),
  })),
  changesErrors("ERR-4", "reports the first message of each field only", (error) =>
    mapFields(error, (name, reasons) => [name, reasons.slice(0, 1)]),
  ),
  changesErrors("ERR-4", "reports the names of fields in camel case", (error) =>
    mapFields(error, (name, reasons) => [
      name.replaceAll(/_(.)/g, (_, one: string) => one.toUpperCase()),
      reasons,
    ]),
  ),
  changesErrors("BATCH-8", "reports field errors of a batch without positions", (error) =>
    mapFields(error, (name, reasons) => [name.replace(/^emails\.\d+\./, ""), reasons]),
  ),
  changesErrors("BATCH-8", "reports field errors of a batch with positions in brackets", (error) =>
    mapFields(error, (name, reasons) => [name.replace(/^emails\.(\d+)/, "emails[$1]"), reasons]),
  ),
  changesErrors("BATCH-8", "counts the positions of a batch from 1", (error) =>
    mapFields(error, (name, reasons) => [name.replace(/\d+/, (index) => `${+index + 1}`), reasons]),
  ),
  changesErrors("BATCH-8", "drops field errors with a position", ({ fields = null }) => ({
    fields: fields && Object.fromEntries(Object.entries(fields).filter(([name]) => !name.includes("."))),
  })),
];
