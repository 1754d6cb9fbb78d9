import { environment } from "./accounts.ts";

/** What the suites say of options, commands and files, and the same for an agent. Lines may be wrapped. */
const words: readonly (readonly [RegExp, string])[] = [
  // Not in the command that repeats a random sequence.
  [/--(grep|profile|without)\b(?!.*--seed)/g, "$1"],
  [/the\s+HTML\s+and\s+JSON\s+reports\s+say\s+why/g, "explain with the id of one says why"],
  [/: see contract doctor/g, ": the tool show describes each setting, such as settings.hooks"],
  [/key in (CONTRACT_API_KEY)/g, environment.CONTRACT_API_KEY ? "$&" : "key of the sandbox ($1 is not set)"],
  [/`email-api-contract contract --dry-run` lists them/g, "the tool search finds them"],
  [/`email-api-contract contract init` .*/g, "The page guides/testing-a-server describes all settings."],
  [/`email-api-contract client`/g, "test with a driver"],
  [/POST \/sandbox\/reset/g, "the tool sandbox (reset)"],
  [/POST \/sandbox\/clock/g, "the tool clock"],
  [/GET \/sandbox\/outbox/g, "the tool outbox"],
  [/(a variable that is not set):/g, "$1 (it must start with CONTRACT_):"],
  [/The command `contract` verifies it .*/g, "No client shows it: the tool show says whether a server does."],
  [/\bdocs\/([\w-]+)\.md/g, "guides/$1"],
  [
    /Set [a-z ]*(CONTRACT_\w+) to a key .*/g,
    "Give it the accounts that sandbox lists, or ask the user to set $1.",
  ],
];

export const inWordsOfTools = (text: string): string =>
  words.reduce((changed, [words, instead]) => changed.replaceAll(words, instead), text);
