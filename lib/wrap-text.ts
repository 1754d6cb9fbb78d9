const width = 80;

/**
 * The text broken into lines of at most 80 columns, between words where there are any; later lines begin with `hanging`.
 * A word that no line has room for is cut, or stands alone with `wholeWords`, so that it can be copied.
 */
export function wrapped(text: string, hanging = "", { wholeWords = false } = {}): string {
  const lines: string[] = [];
  // A line with next to nothing on it is worth less than a cut word.
  const least = hanging.length + (wholeWords ? 0 : 10);
  let rest = text;
  while (rest.length > width) {
    const before = rest.lastIndexOf(" ", width);
    const after = wholeWords ? rest.indexOf(" ", width) : width;
    const cut = before > least ? before : after;
    if (cut < 0) break;
    lines.push(rest.slice(0, cut));
    rest = hanging + rest.slice(cut).trimStart();
  }
  return [...lines, rest].join("\n");
}
