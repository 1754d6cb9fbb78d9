import { anchor, entry, joined, operationLinks } from "../markdown.ts";
import type { Page } from "../page.ts";
import type { Trace, TracedRequirement } from "../trace.ts";

/** Every promise with its permanent id, the calls that it concerns, and how it is verified. */
export function requirementsPage(trace: Trace): Page {
  const topics = Map.groupBy(trace.requirements, ({ topic }) => topic);
  return {
    address: "requirements",
    title: "Requirements",
    description:
      "Every promise of the service under its permanent id, and how the contract suite verifies it.",
    text: joined(
      `The service makes ${trace.requirements.length} promises. ${trace.requirements.filter(({ checks }) => checks.length > 0).length} of them are verified over HTTP by the contract suite; the others say why not.`,
      kinds,
      // Who searches for a word wants the page that explains it; an id is found here all the same.
      `<div class="promises" data-pagefind-weight="0.2">`,
      ...[...topics].map(([topic, rows]) =>
        joined(`## ${topicTitle(topic)}`, rows.map(requirementText).join("\n")),
      ),
      "</div>",
    ),
  };
}

const kinds = `Of each it says what kind it is: *shape* is what requests and answers look like, *semantics* is what a call does, *timing* needs a clock to see, *client* is for those who call to keep, and *unobservable* cannot be seen through the API.`;

/** Topics whose name is not a word. */
const titles: Record<string, string> = { calllog: "Call log" };

const topicTitle = (topic: string): string => titles[topic] ?? `${topic[0]?.toUpperCase()}${topic.slice(1)}`;

function requirementText({ id, text, kind, operations, checks, excluded }: TracedRequirement): string {
  return entry(
    `${anchor(id)}**${id}** ${text}`,
    [`Kind: ${kind}.`, operations.length === 0 ? "" : `Concerns ${operationLinks(operations)}.`].join(" "),
    excluded === null ? "" : `Not verified: ${excluded}`,
    verified(checks),
  );
}

/** What the checks state that verify a promise. */
export const verified = (checks: { law: string }[]): string =>
  checks.length === 0
    ? ""
    : joined("Verified by:", [...new Set(checks.map(({ law }) => law))].map((law) => `- ${law}`).join("\n"));
