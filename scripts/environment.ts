/** The variables that API keys of servers under test come in. */
const ofKeys = /^CONTRACT_(API_KEY|KEY_\w+)$/;

/**
 * The environment for a program of others that this one starts: its own, without API keys, which are none of their
 * business.
 *
 * @param settings what is set on top of it; undefined takes a variable away
 */
export function childEnvironment(settings: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !ofKeys.test(name));
  return { ...Object.fromEntries(own), ...settings };
}
