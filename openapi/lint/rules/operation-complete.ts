import { operationsOf, tagsOf } from "../../../scripts/document/operations.ts";
import { rowsOf, textOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

/** Longest summary that still fits the side bar of a reference, in characters. */
const longest = 60;

export const rule = ruleForEach(operationsOf, {
  description:
    "Every operation has a short summary, a description, a lowerCamelCase operationId and one known tag.",
  *check(place, document) {
    const { id: name, operation } = place;
    const summary = textOf(operation.summary);
    if (summary.trim() === "") yield `Add a summary to ${name}.`;
    if (summary.length > longest)
      yield `Shorten the summary of ${name} to ${longest} characters: it has ${summary.length}.`;
    if (summary.endsWith(".")) yield `Remove the full stop at the end of the summary of ${name}.`;
    if (textOf(operation.description).trim() === "") yield `Add a description to ${name}.`;
    if (!/^[a-z][a-zA-Z0-9]*$/.test(textOf(operation.operationId)))
      yield `Set operationId of ${name} to a lowerCamelCase name.`;
    const tags = tagsOf(place);
    const known = rowsOf(document.tags).map(([, tag]) => tag.name);
    if (tags.length !== 1) yield `Set one tag on ${name} (got ${tags.length}).`;
    for (const tag of tags)
      if (!known.includes(tag)) yield `Add the tag ${tag} of ${name} to the tags of the document.`;
  },
});
