import { headerOf, isSuccess, listedAnswers } from "../document/answers.ts";
import type { Rule } from "../rule.ts";

const headers = ["X-Service-Monthly-Quota", "X-Service-Monthly-Remaining"];
const sends = new Set(["sendEmail", "sendBatch"]);

export const rule: Rule = {
  description: "The two sends, and only those, tell how much of the monthly allowance is left.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const answer of listedAnswers(document))
      for (const name of headers) {
        const expected = isSuccess(answer.status) && sends.has(answer.operation?.name ?? "");
        const header = headerOf(document, answer, name);
        if (expected && header?.value.required !== true)
          yield {
            path: answer.path,
            message: `Add the header ${name} with required: true to ${answer.name}.`,
          };
        if (!expected && header !== undefined)
          yield {
            path: [...answer.path, "headers"],
            message: `Remove the header ${name} from ${answer.name}: it is promised on successful sends only.`,
          };
      }
  },
};
