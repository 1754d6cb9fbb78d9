import type { Copy } from "../../scripts/copies.ts";

/** A defect in the text of the sources: what the message that it ends in must say, or the rule that must find it. */
interface SourceDefect {
  by: RegExp;
  edit: (copy: Copy) => Promise<unknown>;
}

/** Defects that only the sources can have. */
export const sources: Record<string, SourceDefect> = {
  "a list that is not closed": {
    by: /paths\/me\.yaml:\d+:\d+: invalid YAML/,
    edit: ({ append }) => append("paths/me.yaml", "  get: [\n"),
  },
  "the same key twice": {
    by: /schemas\/Subject\.yaml:\d+:\d+: invalid YAML/,
    edit: ({ append }) => append("schemas/Subject.yaml", "maxLength: 999\n"),
  },
  "a reference to a file that is not there": {
    by: /paths\/me\.yaml:\d+:\d+: cannot resolve "\.\.\/schemas\/Acount\.yaml"/,
    edit: ({ replace }) => replace("paths/me.yaml", "Account.yaml", "Acount.yaml"),
  },
  "a file that is gone": {
    by: /openapi\.yaml:\d+:\d+: cannot resolve "errors\.yaml"/,
    edit: ({ remove }) => remove("errors.yaml"),
  },
  "a text that names no limit": {
    by: /names the unknown limit \{\{subjectLenght\}\}/,
    edit: ({ replace }) =>
      replace("schemas/Subject.yaml", "description: ", "description: At most {{subjectLenght}}. "),
  },
  "a summary that is missing": {
    by: /^operation-summary$/,
    edit: ({ replace }) => replace("paths/me.yaml", "  summary: Get the current API key\n", ""),
  },
  "an operation in no workflow": {
    by: /^operation-in-workflow$/,
    edit: ({ replace }) => replace("workflows/schedule.arazzo.yaml", "cancelEmail", "getEmail"),
  },
  "a field that OpenAPI does not have": {
    by: /^struct$/,
    edit: ({ replace }) => replace("paths/me.yaml", "  summary:", "  sumary: Look up\n  summary:"),
  },
};
