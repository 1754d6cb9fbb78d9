/** The port of the sandbox by default, which the guides have in their commands. */
export const sandboxPort = 4020;

export const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
