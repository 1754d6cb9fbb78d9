/** The steps of a tool, in this order. */
export const steps = ["install", "generate", "compile", "read"] as const;
export type Step = (typeof steps)[number];

/** A tool that reads the documents. Its steps are shell commands in a folder with the documents; the guide shows the same commands. */
export interface Tool extends Partial<Record<Step, string>> {
  name: string;
  version: string;
  /** The programs that the steps need. */
  needs: string[];
  /** The oldest versions of programs that the steps work with, such as `1.88` of `cargo`. */
  versions?: Readonly<Record<string, string>>;
  /** A file of this folder that a step needs. */
  file?: string;
}

export interface Generator extends Tool {
  language: string;
  /** The file of `generated/` that it reads. */
  document: (typeof documents)[number];
  /** Why it reads another file than openapi.json, needs an option, or is not compiled. */
  note?: string;
  install: string;
  generate: string;
}

/** Reads every document, and fails if one has errors. */
export interface Reader extends Tool {
  read: string;
  /** Whether its output says more than that it passed. */
  printsResults?: boolean;
}

export const documents = ["openapi.json", "openapi-3.0.json", "openapi-flat.json"] as const;

export const commandsOf = (tool: Tool): string[] =>
  steps.map((step) => tool[step]).filter((command) => command !== undefined);
