/** Promises that no caller can observe, even with every fixture and hook, and why. By id; each reason is a sentence. */
export const unobserved: Readonly<Record<string, string>> = {
  "MEMB-12":
    "The confirmation arrives in a mailbox, which no call and no hook reads; that a contact can follow it is verified under MEMB-15.",
};
