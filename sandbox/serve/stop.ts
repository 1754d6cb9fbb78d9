/** Resolves when the process is asked to end: by Ctrl+C, by `kill`, or by the signal given. A second time ends it at once. */
export function askedToStop(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (): void => {
      if (asked) process.exit(130);
      asked = true;
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
