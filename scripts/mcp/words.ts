/** What the suites say of their options, reports and files, and the same for an agent. Lines may be wrapped. */
const words: readonly (readonly [RegExp, string])[] = [
  // Not in the command that repeats a random sequence.
  [/--(grep|profile)\b(?!.*--seed)/g, "$1"],
  [/--without\b/g, "settings.without"],
  [/the\s+HTML\s+and\s+JSON\s+reports\s+say\s+why/g, "explain with the id of one says why"],
  [/The curl command is long: see the HTML report\.\n?/g, ""],
  [/`email-api-contract contract --dry-run` lists them/g, "the tool search finds them"],
  [/`email-api-contract client` verifies it/g, "test with a driver verifies it"],
  [
    /The command `contract` verifies it with a server, or nothing can: `trace`/g,
    "Only a server shows it, or nothing: show",
  ],
  [/`email-api-contract contract init` .*/g, "The page guides/testing-a-server describes all settings."],
  [/\bdocs\/([\w-]+)\.md/g, "guides/$1"],
  [
    /Set (the environment variable )?(CONTRACT_\w+) to a key .*/g,
    "Ask the user to set $2 for this MCP server; a server on this machine can have the accounts of the sandbox instead (sandbox with action accounts).",
  ],
];

export const inWordsOfTools = (text: string): string =>
  words.reduce((changed, [words, instead]) => changed.replaceAll(words, instead), text);
