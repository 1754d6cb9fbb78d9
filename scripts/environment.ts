/** The API key of a server under test, from the environment; undefined where there is none. */
export const apiKey = (): string | undefined => process.env.CONTRACT_API_KEY;

/**
 * The environment for a program of others that this one starts: its own, without the API key, which is none of their
 * business.
 *
 * @param settings what is set on top of it; undefined takes a variable away
 */
export function childEnvironment(settings: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const { CONTRACT_API_KEY: _, ...environment } = process.env;
  return { ...environment, ...settings };
}
