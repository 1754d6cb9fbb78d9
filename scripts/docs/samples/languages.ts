import * as programs from "./programs.ts";
import { snippet, type Write } from "./snippet.ts";
import { typescriptSample } from "./typescript.ts";

/** A language of the samples. */
export interface Language {
  id: string;
  title: string;
  /** The name of the language for the colours of the code. */
  highlight: string;
  write: Write;
  /** A sentence below the sample. */
  note?: string;
}

/** In the order of the tabs. */
export const languages: readonly Language[] = [
  { id: "curl", title: "curl", highlight: "sh", write: snippet("shell", "curl", programs.shell) },
  { id: "typescript", title: "TypeScript", highlight: "ts", write: typescriptSample },
  {
    id: "python",
    title: "Python",
    highlight: "python",
    write: snippet("python", "requests", programs.python),
  },
  { id: "go", title: "Go", highlight: "go", write: snippet("go", "native", programs.go) },
  { id: "php", title: "PHP", highlight: "php", write: snippet("php", "curl", programs.php) },
  { id: "ruby", title: "Ruby", highlight: "ruby", write: snippet("ruby", "native", programs.ruby) },
  { id: "java", title: "Java", highlight: "java", write: snippet("java", "nethttp", programs.java) },
  {
    id: "csharp",
    title: "C#",
    highlight: "csharp",
    write: snippet("csharp", "httpclient", programs.csharp),
    note: "No test runs this sample.",
  },
];
