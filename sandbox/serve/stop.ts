/** Under npm, Ctrl+C arrives twice: from the terminal and from npm. Signals within this many milliseconds are one. */
const duplicateWithin = 500;

/** Resolves at SIGINT or SIGTERM. A second signal ends the process immediately. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let stoppedAt: number | undefined;
    const stop = (): void => {
      if (stoppedAt !== undefined && performance.now() - stoppedAt > duplicateWithin) process.exit(130);
      stoppedAt ??= performance.now();
      resolve();
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  });
}
