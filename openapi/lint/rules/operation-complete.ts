import { eachOperation, operationAt, tagsOf } from "../../../scripts/document/operations.ts";
import { rowsOf, textOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

/** Longest summary that still fits the side bar of a reference, in characters. */
const longest = 60;

export const rule: Rule = {
  description:
    "Every operation has a short summary, a description, a lowerCamelCase operationId and one known tag.",
  given: eachOperation,
  *check(_operation, { path, document }) {
    const place = operationAt(document, path);
    const { id: name, operation } = place;
    const say = (message: string) => ({ path, message });
    const summary = textOf(operation.summary);
    if (summary.trim() === "") yield say(`Add a summary to ${name}.`);
    if (summary.length > longest)
      yield say(`Shorten the summary of ${name} to ${longest} characters: it has ${summary.length}.`);
    if (summary.endsWith(".")) yield say(`Remove the full stop at the end of the summary of ${name}.`);
    if (textOf(operation.description).trim() === "") yield say(`Add a description to ${name}.`);
    if (!/^[a-z][a-zA-Z0-9]*$/.test(textOf(operation.operationId)))
      yield say(`Set operationId of ${name} to a lowerCamelCase name.`);
    const tags = tagsOf(place);
    const known = rowsOf(document.tags).map(([, tag]) => tag.name);
    if (tags.length !== 1) yield say(`Set one tag on ${name} (got ${tags.length}).`);
    for (const tag of tags)
      if (!known.includes(tag)) yield say(`Add the tag ${tag} of ${name} to the tags of the document.`);
  },
};
