/** Promises that no caller can observe, even with every fixture and hook, and why. By id; each reason is a sentence. */
export const unobserved: Readonly<Record<string, string>> = {};
