import { UserError } from "../../lib/user-error.ts";

/**
 * The text of a file with the version of the release in it. All else stays as it was written.
 *
 * @param file its name, which tells how the version is written in it
 * @throws Failure when there is no version in it
 */
export function withVersion(file: string, text: string, version: string): string {
  const places = file.endsWith(".yaml")
    ? [/^( {2}version: )"?[^\s"]+"?$/m]
    : file.endsWith("package-lock.json")
      ? [/^( {2}"version": )"[^"]*"/m, /^( {4}"(?:|client)": \{[^}]*?"version": )"[^"]*"/gm]
      : [/^( {2}"version": )"[^"]*"/m];
  let changed = text;
  for (const place of places) {
    if (!place.test(changed)) throw new UserError(`there is no version in ${file}`, { exitCode: 2 });
    const quoted = file.endsWith(".yaml") ? version : JSON.stringify(version);
    changed = changed.replace(place, (_, before: string) => `${before}${quoted}`);
  }
  return changed;
}
