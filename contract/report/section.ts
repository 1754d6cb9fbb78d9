/** Requirements with something in common. */
export interface Group {
  /** A sentence without a full stop; empty if the title of the section says all. */
  what: string;
  ids: string[];
  /** More of them, too many for a line: only the HTML report lists them. */
  folded?: string[];
  /** What the first of them shows, line by line, such as the output of a program. */
  detail?: string[];
}

/** A list that reports show below the failures. */
export interface Section {
  title: string;
  severity: "error" | "warning" | "information";
  groups: Group[];
}
