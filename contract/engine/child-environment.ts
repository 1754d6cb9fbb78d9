/** The variables that carry API keys of servers under test. */
const keyVariables = /^CONTRACT_(API_KEY|KEY_\w+)$/;

/** The API keys of the environment. */
export const environmentKeys = (): string[] =>
  Object.entries(process.env).flatMap(([name, value = ""]) => (keyVariables.test(name) ? [value] : []));

/**
 * The environment for a program that this one starts: its own, without API keys.
 * @param overrides variables to set; `undefined` removes one
 */
export function childEnvironment(overrides: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !keyVariables.test(name));
  return { ...Object.fromEntries(inherited), ...overrides };
}
