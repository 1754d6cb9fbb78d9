const width = 80;

/** Stands for a space at which no line is broken. */
const unbroken = "\u00a0";

/** The most characters in backticks that are kept on one line: commands, not long values. */
const longestCode = 60;

/**
 * Breaks text into lines of at most 80 columns, between words if possible. All lines but the first start with `hanging`.
 * A command in backticks stays on one line, so that it can be copied.
 * A longer word is cut, or kept whole on a line of its own with `wholeWords`, so that it can be copied.
 */
export function wrapped(text: string, hanging = "", { wholeWords = false } = {}): string {
  const lines: string[] = [];
  // Cutting a word is better than a line that is almost empty.
  const shortest = hanging.length + (wholeWords ? 0 : 10);
  let rest = text.replaceAll(/`[^`\n]*`/g, (code) =>
    code.length > longestCode ? code : code.replaceAll(" ", unbroken),
  );
  while (rest.length > width) {
    const before = rest.lastIndexOf(" ", width);
    const after = wholeWords ? rest.indexOf(" ", width) : width;
    const cut = before > shortest ? before : after;
    if (cut < 0) break;
    lines.push(rest.slice(0, cut));
    rest = hanging + rest.slice(cut).trimStart();
  }
  return [...lines, rest].join("\n").replaceAll(unbroken, " ");
}
