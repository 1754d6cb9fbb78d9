import { operationsOf, parametersOf } from "../../../scripts/document/operations.ts";
import { resolveSchema } from "../../../scripts/document/references.ts";
import { textOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(operationsOf, {
  description:
    "An email address in a path has format: email, and its description says that it is URL encoded.",
  *check(operation, document) {
    for (const { path, value } of parametersOf(document, operation)) {
      if (value.in !== "path" || !/email|address/.test(textOf(value.name))) continue;
      if (!/URL.encoded/i.test(textOf(value.description)))
        yield {
          path,
          message: `Add to the description of the parameter ${value.name} that the email address is URL encoded.`,
        };
      if (resolveSchema(document, value.schema).format !== "email")
        yield { path, message: `Set format: email on the schema of the parameter ${value.name}.` };
      if (value.allowReserved !== undefined)
        yield {
          path,
          message: `Remove allowReserved from the parameter ${value.name}: the email address is URL encoded.`,
        };
    }
  },
});
