/** A number with its noun: `count(1, "request")` is `1 request`, `count(1200, "request")` is `1,200 requests`. */
export const count = (number: number, singular: string, plural = `${singular}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? singular : plural}`;
