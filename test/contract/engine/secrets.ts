const mark = "***";
/** A key of a few letters could be part of any word; only longer ones are struck out wherever they stand. */
const shortest = 8;

/** Takes the API keys out of a text, in whichever of the forms they stand there: plain, in JSON, in an address, in base64. */
export function strikerOf(keys: readonly string[]): (text: string) => string {
  const forms = keys
    .filter((key) => key !== "")
    .flatMap((key) => [
      key,
      JSON.stringify(key).slice(1, -1),
      encodeURIComponent(key),
      Buffer.from(key).toString("base64").replace(/=+$/, ""),
    ]);
  const long = forms.filter((form) => form.length >= shortest);
  const patterns = [
    ...(long.length === 0 ? [] : [anyOf(long)]),
    ...(forms.length === 0 ? [] : [`(?<=Bearer )${anyOf(forms)}`]),
  ];
  if (patterns.length === 0) return (text) => text;
  // One look through the text for all keys: reports strike them out of everything that was sent and received.
  const pattern = new RegExp(patterns.join("|"), "g");
  return (text) => text.replace(pattern, mark);
}

/** Any of the texts, the longest first: a key may be the beginning of another. */
const anyOf = (texts: string[]): string =>
  `(?:${[...new Set(texts)]
    .sort((one, other) => other.length - one.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .join("|")})`;
