import { changeRequests, type Mutant } from "./mutant.ts";
import { type Json, objectOf } from "./newsletter.ts";
import { isRequestTo, messagesIn, withMessages } from "./requests.ts";

const withValues = (message: Json, values: (variables: Json) => Json): Json =>
  "variables" in message ? { ...message, variables: values(objectOf(message.variables)) } : message;

export const mailTemplatesMutants: Mutant[] = [
  changeRequests("SEND-16", "fills in no variables in a batch", (request) =>
    isRequestTo(request, "sendBatch") && messagesIn(request).length > 0
      ? withMessages(request, (message) => withValues(message, () => ({})))
      : undefined,
  ),
];
