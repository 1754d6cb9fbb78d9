import { examplesOf, mediaTypes } from "../../../scripts/document/media-types.ts";
import { textOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(mediaTypes, {
  description: "Examples of bodies have a snake_case name and a summary, so that mocks can select them.",
  *check({ path, media, name: owner }, document) {
    if (media.example !== undefined)
      yield {
        path: [...path, "example"],
        message: `Move the example of ${owner} to examples, under a name.`,
      };
    for (const { name, path: place, example } of examplesOf(document, path, media)) {
      if (!/^[a-z][a-z0-9_]*$/.test(name))
        yield {
          path: [...path, "examples", name],
          message: `Change the name of the example ${name} of ${owner} to snake_case.`,
        };
      if (textOf(example.summary).trim() === "")
        yield { path: place, message: `Add a summary to the example ${name} of ${owner}.` };
      if (!Object.hasOwn(example, "value"))
        yield { path: place, message: `Add a value to the example ${name} of ${owner}.` };
    }
  },
});
