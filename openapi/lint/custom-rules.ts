import type { Rule } from "./rule.ts";
import * as errors from "./rules/errors.ts";
import * as examples from "./rules/examples.ts";
import * as operations from "./rules/operations.ts";
import * as requirements from "./rules/requirements.ts";
import * as responses from "./rules/responses.ts";
import * as schemas from "./rules/schemas.ts";
import * as tables from "./rules/tables.ts";
import * as values from "./rules/values.ts";

const idOf = (name: string): string => name.replaceAll(/(?=[A-Z])|(?<=[a-z])(?=\d)/g, "-").toLowerCase();

/** The custom rules by id: the name of each export of `rules/` in kebab case. */
export const customRules: Record<string, Rule> = Object.fromEntries(
  [errors, examples, operations, requirements, responses, schemas, tables, values]
    .flatMap((topic) => Object.entries<Rule>(topic))
    .map(([name, rule]): [string, Rule] => [idOf(name), rule])
    .sort(([one], [other]) => (one < other ? -1 : 1)),
);
