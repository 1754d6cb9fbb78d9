/** Tell how the sandbox is, and nothing about what it holds: everyone may read them, whatever host they name. */
const probePaths = ["/health", "/health/live", "/health/ready"] as const;

export type ProbePath = (typeof probePaths)[number];

export const isProbe = (path: string): path is ProbePath => (probePaths as readonly string[]).includes(path);
