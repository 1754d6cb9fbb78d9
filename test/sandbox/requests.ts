import { type OperationId, type OperationWithInput, operations } from "../../generated/operations.ts";
import { mail, type RequestOptions, type Rig, start, time } from "./rig.ts";

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
