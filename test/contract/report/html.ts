import { createHash } from "node:crypto";
import { Contents } from "./page/contents.ts";
import { html, Markup } from "./page/markup.ts";
import { causesMarkup, groupsMarkup, mapMarkup, topMarkup } from "./page/overview.ts";
import { type Entry, requirementMarkup } from "./page/requirement.ts";
import { script } from "./page/script.ts";
import { style } from "./page/style.ts";
import { type Standing, standings } from "./page/verdicts.ts";
import { sentence, verdictLine } from "./reading.ts";
import type { ContractResult } from "./result.ts";

/**
 * The report as one page that needs nothing else: requirement by requirement the verdict, the laws and their cases, what was sent
 * and received, and a command that repeats it. All exchanges of what is broken, one of each law that holds.
 */
export function htmlReport(result: ContractResult): string {
  const topics = topicsOf(result);
  const contents = new Contents(result);
  const entries = topics.flatMap((topic) => topic.entries);
  return `<!doctype html>
${
  html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Contract: ${verdictLine(result)}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${topMarkup(result, entries)}
${filterMarkup(entries)}
<main>
<div class="overview">${causesMarkup(result)}
${mapMarkup(topics)}
${groupsMarkup(result)}</div>
${topics.map(
  ({ topic, entries: own }) => html`<section class="topic" aria-labelledby="topic-${topic}">
<h2 id="topic-${topic}">${sentence(topic)} <span class="soft">${held(own)}</span></h2>
${own.map((entry) => requirementMarkup(entry, contents))}
</section>`,
)}
</main>
<script>${new Markup(script)}</script>
</body>
</html>`.text
}
`;
}

/** Nothing is loaded, and nothing runs but what is written here: an answer of the server cannot bring its own. */
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

/** A topic and its promises, those included that the run says nothing of, in the order of their ids. */
export interface Topic {
  topic: string;
  entries: Entry[];
}

function topicsOf({ requirements, notTried }: ContractResult): Topic[] {
  const all = [
    ...requirements.map(({ verdict, ...entry }) => ({ ...entry, standing: verdict as Standing })),
    ...notTried.map((entry) => ({ ...entry, standing: "not tried" as const })),
  ];
  return Object.entries(Object.groupBy(all, ({ topic }) => topic)).map(([topic, entries = []]) => ({
    topic,
    entries: entries.sort((one, other) => one.id.localeCompare(other.id, "en", { numeric: true })),
  }));
}

const held = (entries: readonly Entry[]): string => {
  const tried = entries.filter(({ standing }) => standing !== "not tried");
  const count = tried.filter(({ standing }) => standing === "pass").length;
  return tried.length === 0 ? "not tried" : `${count} of ${tried.length} hold`;
};

function filterMarkup(entries: readonly Entry[]): Markup {
  const choice = (name: string, word: string, count: number): Markup =>
    html`<label class="choice"><input type="radio" name="show" id="show-${name}" value="${name}"${name === "all" && html` checked`}><span class="state ${name}">${word}</span> <span class="count">${count}</span></label>`;
  const choices = (Object.keys(standings) as Standing[]).flatMap((standing) => {
    const count = entries.filter((entry) => entry.standing === standing).length;
    const { name, word } = standings[standing];
    return count === 0 ? [] : [choice(name, word, count)];
  });
  return html`<div class="bar" role="search"><div><fieldset><legend>Promises to show</legend>
${choice("all", "All", entries.length)}
${choices}
</fieldset>
<div class="find" hidden><label class="unseen" for="search">Search promises and laws</label><input type="search" id="search" placeholder="Search"><span id="shown" role="status"></span></div></div></div>`;
}
