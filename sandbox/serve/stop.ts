/** Ctrl+C reaches a process started by npm twice, from the terminal and from npm: what comes this soon after is the same one (in milliseconds). */
const sameTime = 500;

/**
 * Resolves when the process is asked to end: by Ctrl+C, by `kill`, or by the signal given. Whoever cannot wait asks again, and it ends
 * at once.
 */
export function askedToStop(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const stop = (): void => {
      if (askedAt !== undefined && performance.now() - askedAt > sameTime) process.exit(130);
      askedAt ??= performance.now();
      resolve();
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
    signal?.addEventListener("abort", () => {
      process.off("SIGTERM", stop);
      process.off("SIGINT", stop);
      resolve();
    });
  });
}
