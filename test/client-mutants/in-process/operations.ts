import type { Client, IdempotentRequestOptions } from "../../../client/src/index.ts";
import type { Call } from "../../../contract/client-suite/driver/protocol.ts";
import type { OperationId } from "../../../generated/operations.ts";

type CallOperation = (client: Client, call: Call, options: IdempotentRequestOptions) => Promise<unknown>;

/** The body of a call as the type that the client asks for: the suite gives it. */
const bodyOf = <Body>({ body }: Call): Body => body as Body;
const idOf = ({ path }: Call): string => path?.id as string;
const emailOf = ({ path }: Call): string => path?.email as string;

/** How the client is called for each operation. */
export const callOperation: Record<OperationId, CallOperation> = {
  sendEmail: ({ emails }, call, options) => emails.send(bodyOf(call), options),
  sendBatch: ({ emails }, call, options) =>
    emails.batch.send(bodyOf<{ emails: Parameters<typeof emails.batch.send>[0] }>(call).emails, options),
  getEmail: ({ emails }, call, options) => emails.get(idOf(call), options),
  rescheduleEmail: ({ emails }, call, options) => emails.reschedule(idOf(call), bodyOf(call), options),
  cancelEmail: ({ emails }, call, options) => emails.cancel(idOf(call), options),
  listNewsletterLists: ({ newsletter }, _, options) => newsletter.lists(options),
  listCustomFields: ({ newsletter }, _, options) => newsletter.fields(options),
  upsertContact: ({ newsletter }, call, options) => newsletter.contacts.upsert(bodyOf(call), options),
  getContact: ({ newsletter }, call, options) => newsletter.contacts.get(emailOf(call), options),
  unsubscribeContact: ({ newsletter }, call, options) =>
    newsletter.contacts.unsubscribe(emailOf(call), bodyOf(call), options),
  getMe: (client, _, options) => client.me(options),
};
