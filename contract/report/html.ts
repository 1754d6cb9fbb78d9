import { createHash } from "node:crypto";
import { count } from "../../lib/count.ts";
import { Html } from "../../lib/html.ts";
import { capitalized } from "../text.ts";
import { verdictLine } from "./counts.ts";
import { Contents } from "./page/contents.ts";
import { coverageMarkup } from "./page/coverage.ts";
import { failuresMarkup, failuresOf } from "./page/failures.ts";
import { html } from "./page/markup.ts";
import { overviewMarkup, passLine, topMarkup } from "./page/overview.ts";
import { type Entry, requirementMarkup } from "./page/requirement.ts";
import { script } from "./page/script.ts";
import { style } from "./page/style.ts";
import { isDecided, verdictLabels } from "./page/verdict-labels.ts";
import type { ContractResult } from "./result.ts";

/**
 * The HTML report, one self-contained page: each requirement with its verdict, checks, test cases, exchanges and curl
 * commands. It shows all exchanges of failed cases, and one of each check that passes.
 */
export function htmlReport(result: ContractResult): string {
  const topics = topicsOf(result);
  const contents = new Contents(result);
  const entries = topics.flatMap((topic) => topic.entries);
  const failures = failuresOf(result, entries);
  return `<!doctype html>
${
  html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Contract: ${verdictLine(result)}</title>
<style>${new Html(style)}</style>
</head>
<body>
${topMarkup(result)}
${filterMarkup(entries, result)}
<main>
${failuresMarkup(result, failures, contents)}
${coverageMarkup(result)}
${overviewMarkup(result, topics)}
${topics.map((topic) => topicMarkup(topic, failures, contents))}
</main>
<script>${new Html(script)}</script>
</body>
</html>`.text
}
`;
}

/** Loads nothing, and runs only the page's own script: a response of the server cannot inject one. */
const policy = [
  "default-src 'none'",
  `style-src '${hashOf(style)}'`,
  `script-src '${hashOf(script)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** A topic and all its requirements, in the order of their ids. */
interface Topic {
  topic: string;
  entries: Entry[];
}

function topicsOf({ requirements, notTested }: ContractResult): Topic[] {
  const all: (Entry & { topic: string })[] = [
    ...requirements,
    ...notTested.map((entry) => ({ ...entry, verdict: "outside the run" as const })),
  ];
  return Object.entries(Object.groupBy(all, ({ topic }) => topic)).map(([topic, entries = []]) => ({
    topic,
    entries: entries.sort((one, other) => one.id.localeCompare(other.id, "en", { numeric: true })),
  }));
}

/** A topic with its requirements but those at the top of the page. */
function topicMarkup({ topic, entries }: Topic, failures: readonly Entry[], contents: Contents): Html {
  const others = entries.filter((entry) => !failures.includes(entry));
  const moved = entries.length - others.length;
  const above = moved > 0 && html`, <a href="#failures">${count(moved, "failure")} above</a>`;
  return html`<section class="topic" aria-labelledby="topic-${topic}">
<h2 id="topic-${topic}">${capitalized(topic)} <span class="soft">${passLine(entries)}${above}</span></h2>
${others.map((entry) => requirementMarkup(entry, contents))}
</section>`;
}

function filterMarkup(entries: readonly Entry[], { traffic }: ContractResult): Html {
  const decided = entries.filter(({ verdict }) => isDecided(verdict)).length;
  // Traffic shows few of the requirements: the page begins without the others.
  const hasDecided = traffic !== undefined && decided > 0;
  const first = hasDecided ? "decided" : "all";
  const choice = (name: string, word: string, number: number): Html =>
    html`<label class="choice"><input type="radio" name="show" id="show-${name}" value="${name}"${name === first && html` checked`}><span class="state ${name}">${word}</span> <span class="count">${number}</span></label>`;
  const choices = Object.entries(verdictLabels).flatMap(([verdict, { name, word }]) => {
    const number = entries.filter((entry) => entry.verdict === verdict).length;
    return number === 0 ? [] : [choice(name, word, number)];
  });
  return html`<div class="bar" role="search"><div><fieldset><legend>Requirements to show</legend>
${choice("all", "All", entries.length)}
${hasDecided && choice("decided", "With a verdict", decided)}
${choices}
</fieldset>
<div class="find" hidden><label class="unseen" for="search">Search requirements and checks</label><input type="search" id="search" placeholder="Search"><span id="shown" role="status"></span></div></div></div>`;
}
