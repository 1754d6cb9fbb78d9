/** What is done with a generator, in this order. */
export const steps = ["install", "generate", "compile"] as const;
export type Step = (typeof steps)[number];

/** A code generator. Its steps are lines for a shell, in a folder with the document: the guide shows the same ones. */
export interface Generator {
  name: string;
  version: string;
  language: string;
  /** The programs that the steps need. */
  needs: string[];
  /** The file of `generated/` that it reads. */
  document: "openapi.json" | "openapi-3.0.json" | "openapi-flat.json";
  /** Why it reads another file than openapi.json, needs an option, or is not compiled. */
  note?: string;
  /** A file of this folder that a step needs. */
  file?: string;
  install: string;
  generate: string;
  compile?: string;
}

export const commandsOf = (generator: Generator): string[] =>
  steps.map((step) => generator[step]).filter((command) => command !== undefined);
