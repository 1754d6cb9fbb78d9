import { changeMessages } from "./mail.ts";
import { changeRequests, type Mutant } from "./mutant.ts";
import { type Json, objectOf } from "./newsletter.ts";
import { isRequestTo, messagesIn, withMessages } from "./requests.ts";

const withValues = (message: Json, values: (variables: Json) => Json): Json =>
  "variables" in message ? { ...message, variables: values(objectOf(message.variables)) } : message;

export const mailTemplatesMutants: Mutant[] = [
  changeMessages("SEND-16", "fills in no variables", (message) => withValues(message, () => ({}))),
  changeMessages("SEND-16", "fills in the names of the variables", (message) =>
    withValues(message, (variables) =>
      Object.fromEntries(Object.keys(variables).map((name) => [name, `{{${name}}}`])),
    ),
  ),
  changeRequests("SEND-16", "fills in no variables in a batch", (request) =>
    isRequestTo(request, "sendBatch") && messagesIn(request).length > 0
      ? withMessages(request, (message) => withValues(message, () => ({})))
      : undefined,
  ),
  {
    requirement: "SEND-16",
    title: "keeps the values of the first message of a template",
    intercept: () => {
      let first: Json | undefined;
      const keep = (variables: Json): Json => {
        first ??= variables;
        return { ...variables, ...first };
      };
      return (request, next) =>
        next(
          messagesIn(request).length > 0
            ? withMessages(request, (message) => withValues(message, keep))
            : request,
        );
    },
  },
];
