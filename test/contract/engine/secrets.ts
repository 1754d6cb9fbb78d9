const mark = "***";
/** A key of a few letters could be part of any word; only longer ones are struck out wherever they stand. */
const shortest = 8;

/** Takes the API keys out of a text, in whichever of the forms they stand there: plain, in JSON, in an address, in base64. */
export function strikerOf(keys: readonly string[]): (text: string) => string {
  // The longest first: a key may be the beginning of another.
  const forms = keys
    .flatMap((key) => [
      key,
      JSON.stringify(key).slice(1, -1),
      encodeURIComponent(key),
      Buffer.from(key).toString("base64").replace(/=+$/, ""),
    ])
    .sort((one, other) => other.length - one.length);
  return (text) =>
    [...new Set(forms)].reduce((rest, form) => {
      const bearer = rest.replaceAll(`Bearer ${form}`, `Bearer ${mark}`);
      return form.length < shortest ? bearer : bearer.replaceAll(form, mark);
    }, text);
}
