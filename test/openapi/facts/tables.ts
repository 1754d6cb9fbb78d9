/** Facts by what they are about, each a line of text. */
export type Facts = Record<string, Record<string, string>>;
