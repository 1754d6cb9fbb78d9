import { type OperationId, operations } from "../../generated/operations.ts";
import type { AnswerExample } from "./answers.ts";
import { type Call, call } from "./call.ts";
import { document, operationsOf } from "./document.ts";

/** A way to a documented answer on a server that keeps state and has the account of the document's examples. */
type Way = () => Promise<Call>;

let count = 0;
/** Something that no other call of this run has used, and no earlier run either. */
const unique = (): string => `${Date.now().toString(36)}-${process.pid}-${count++}`;

/** The example of a body by its name, or the first one; undefined where the operation takes no body. */
function bodyOf(operation: OperationId, example?: string): unknown {
  const { bodies = {} } = operationsOf(document).find(({ id }) => id === operation) ?? {};
  return example === undefined ? Object.values(bodies)[0] : bodies[example];
}

/** The request with the path filled in: `{id}` and `{email}` by what is given. */
const request = (operation: OperationId, part = "", body = bodyOf(operation)): Call => ({
  method: operations[operation].method,
  path: operations[operation].path.replace(/\{\w+\}/, encodeURIComponent(part)),
  body,
});

const idOf = (json: unknown): string => String((json as { id?: unknown } | undefined)?.id);

const sent = async (example?: string): Promise<string> =>
  idOf((await call(request("sendEmail", "", bodyOf("sendEmail", example)))).json);

async function canceled(): Promise<string> {
  const id = await sent("scheduled");
  await call(request("cancelEmail", id));
  return id;
}

const contactBody = (email: string): unknown => ({
  ...(bodyOf("upsertContact") as object),
  email,
});

async function contact(): Promise<string> {
  const email = `${unique()}@example.org`;
  await call(request("upsertContact", "", contactBody(email)));
  return email;
}

async function usedKey(operation: OperationId): Promise<Call> {
  const headers = { "Idempotency-Key": unique() };
  await call({ ...request(operation), headers });
  const other = bodyOf(operation, operation === "upsertContact" ? "smallest" : "template");
  return { ...request(operation, "", other), headers };
}

/** A good call of each operation, on something that is there. */
export const goodWays: Record<OperationId, Way> = {
  sendEmail: async () => request("sendEmail"),
  sendBatch: async () => request("sendBatch"),
  getEmail: async () => request("getEmail", await sent()),
  rescheduleEmail: async () => request("rescheduleEmail", await sent("scheduled")),
  cancelEmail: async () => request("cancelEmail", await sent("scheduled")),
  listNewsletterLists: async () => request("listNewsletterLists"),
  listCustomFields: async () => request("listCustomFields"),
  upsertContact: async () => request("upsertContact"),
  getContact: async () => request("getContact", await contact()),
  unsubscribeContact: async () => request("unsubscribeContact", await contact(), {}),
  getMe: async () => request("getMe"),
};

const nowhere = async (operation: OperationId): Promise<Call> =>
  request(operation, operation.endsWith("Contact") ? `${unique()}@example.org` : `none-${unique()}`);

const ways: Record<string, Way> = {
  "sendEmail 202 accepted": goodWays.sendEmail,
  "sendEmail 202 scheduled": async () => request("sendEmail", "", bodyOf("sendEmail", "scheduled")),
  "sendBatch 2XX accepted": goodWays.sendBatch,
  "getEmail 2XX sent": goodWays.getEmail,
  "getEmail 2XX scheduled": async () => request("getEmail", await sent("scheduled")),
  "getEmail 2XX canceled": async () => request("getEmail", await canceled()),
  "rescheduleEmail 2XX rescheduled": goodWays.rescheduleEmail,
  "cancelEmail 2XX canceled": goodWays.cancelEmail,
  "listNewsletterLists 2XX two_lists": goodWays.listNewsletterLists,
  "listCustomFields 2XX every_type": goodWays.listCustomFields,
  "upsertContact 200 updated": async () => request("upsertContact", "", contactBody(await contact())),
  "upsertContact 201 pending": async () =>
    request("upsertContact", "", contactBody(`${unique()}@example.org`)),
  "getContact 2XX on_two_lists": goodWays.getContact,
  "unsubscribeContact 2XX left_everything": goodWays.unsubscribeContact,
  "getMe 200 account": goodWays.getMe,
  "rescheduleEmail 409 not_reschedulable": async () => request("rescheduleEmail", await sent()),
  "cancelEmail 409 not_cancellable": async () => request("cancelEmail", await sent()),
  "unsubscribeContact 422 invalid_request": async () =>
    request("unsubscribeContact", await contact(), { list_id: "not a number" }),
};

/** The way to a documented answer; undefined where one key alone does not lead there. */
export function wayTo({ operation, status, key, example }: AnswerExample): Way | undefined {
  const way = ways[`${operation} ${key} ${example}`];
  if (way !== undefined) return way;
  if (status === 401) return async () => ({ ...(await goodWays[operation]()), withKey: false });
  if (status === 404 && example === "not_found" && operation !== "upsertContact")
    return () => nowhere(operation);
  if (example === "idempotency_conflict") return () => usedKey(operation);
  if (status === 422 && example === "invalid_request") {
    return async () => ({ ...(await goodWays[operation]()), body: {} });
  }
  return undefined;
}
