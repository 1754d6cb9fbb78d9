/** The part of a guide that a command writes, which stands between two comments. */
export const generatedPart = (command: string): RegExp =>
  new RegExp(`(?<=<!-- ${command} -->\\n)[\\s\\S]*(?=<!-- end -->)`);
