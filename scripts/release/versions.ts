import { UserError } from "../../lib/user-error.ts";

/** The text of openapi.yaml, package.json or package-lock.json with another version. Throws a UserError if it has none. */
export function withVersion(file: string, text: string, version: string): string {
  const places = file.endsWith(".yaml")
    ? [/^( {2}version: )"?[^\s"]+"?$/m]
    : file.endsWith("package-lock.json")
      ? [/^( {2}"version": )"[^"]*"/m, /^( {4}"(?:|client)": \{[^}]*?"version": )"[^"]*"/gm]
      : [/^( {2}"version": )"[^"]*"/m];
  const written = file.endsWith(".yaml") ? version : JSON.stringify(version);
  return places.reduce((changed, place) => {
    if (changed.search(place) < 0) throw new UserError(`${file} has no version`, { exitCode: 2 });
    return changed.replace(place, (_, before: string) => `${before}${written}`);
  }, text);
}
