import type { Profile } from "./engine/settings.ts";

/** What a complete run of a profile does. */
export interface RunTotal {
  requests: number;
  /** The requests that count for the rate limit of the account of the key `full`. */
  limitedRequests: number;
  /** Those of them that random sequences make, which end after a time. */
  limitedBySequences: number;
  /** Emails accepted and not canceled. */
  emails: number;
  recipients: number;
  /** The ids of the requirements that response checks alone verify, separated by spaces. */
  responseChecks: string;
}

/** Measured on a server with every fixture and hook; a thorough test measures it again and prints what to write here. */
export const runTotals: Readonly<Record<Profile, RunTotal>> = {
  mock: {
    requests: 593,
    limitedRequests: 593,
    limitedBySequences: 0,
    emails: 0,
    recipients: 0,
    responseChecks:
      "BATCH-11 BATCH-12 BATCH-9 CONT-23 CONT-3 ERR-12 ERR-16 ERR-4 ERR-5 EVENT-1 EVENT-2 EVENT-3 GEN-4 GEN-7 HEAD-1 HEAD-3 HEAD-4 HEAD-5 HEAD-6 HEAD-8 IDEM-7 LIST-1 LIST-10 LIST-2 LIST-3 LIST-4 LIST-5 LIST-6 LIST-7 LIST-8 LIST-9 LOOK-1 LOOK-10 LOOK-11 LOOK-12 LOOK-13 LOOK-14 LOOK-15 LOOK-16 LOOK-17 LOOK-18 LOOK-19 LOOK-2 LOOK-20 LOOK-21 LOOK-3 LOOK-4 LOOK-5 LOOK-7 LOOK-8 LOOK-9 MEMB-1 MEMB-10 MEMB-3 MEMB-4 MEMB-5 MEMB-6 MEMB-7 MEMB-8 MEMB-9 SCHED-15 SCHED-3 SCHED-4 SCHED-5 SEND-31 SEND-33 SEND-37 UNSUB-9",
  },
  core: {
    requests: 398,
    limitedRequests: 339,
    limitedBySequences: 0,
    emails: 65,
    recipients: 91,
    responseChecks:
      "ERR-1 ERR-12 ERR-5 GEN-4 GEN-7 HEAD-1 HEAD-2 HEAD-5 HEAD-8 LOOK-16 LOOK-17 LOOK-18 LOOK-19 LOOK-20 LOOK-21 LOOK-7 MEMB-4 SCHED-15 SCHED-3 SEND-31 SEND-37",
  },
  email: {
    requests: 2291,
    limitedRequests: 1830,
    limitedBySequences: 913,
    emails: 657,
    recipients: 2463,
    responseChecks:
      "CONT-23 CONT-3 ERR-1 ERR-12 ERR-5 GEN-4 GEN-7 HEAD-1 HEAD-2 HEAD-5 LIST-1 LIST-2 LIST-3 LIST-4 LOOK-16 LOOK-17 LOOK-18 LOOK-19 LOOK-20 LOOK-21 LOOK-7 MEMB-1 MEMB-10 MEMB-3 MEMB-4 MEMB-5 MEMB-6 MEMB-7 MEMB-8 MEMB-9 SEND-37 UNSUB-9",
  },
  newsletter: {
    requests: 1125,
    limitedRequests: 859,
    limitedBySequences: 418,
    emails: 18,
    recipients: 29,
    responseChecks:
      "BATCH-12 ERR-1 ERR-12 ERR-5 EVENT-1 EVENT-2 GEN-4 GEN-7 HEAD-1 HEAD-2 HEAD-5 LOOK-12 LOOK-13 LOOK-14 LOOK-7 LOOK-8 MEMB-4 SCHED-15 SCHED-5",
  },
  full: {
    requests: 3211,
    limitedRequests: 2620,
    limitedBySequences: 1331,
    emails: 667,
    recipients: 2484,
    responseChecks:
      "ERR-1 ERR-12 ERR-5 GEN-4 GEN-7 HEAD-1 HEAD-2 HEAD-5 LOOK-16 LOOK-17 LOOK-18 LOOK-19 LOOK-20 LOOK-21 LOOK-7 MEMB-4 SEND-37",
  },
  model: {
    requests: 12921,
    limitedRequests: 9834,
    limitedBySequences: 9834,
    emails: 982,
    recipients: 6402,
    responseChecks:
      "ERR-1 ERR-12 ERR-4 ERR-5 EVENT-1 EVENT-2 GEN-4 GEN-7 HEAD-1 HEAD-2 HEAD-5 HEAD-6 HEAD-8 LOOK-14 LOOK-16 LOOK-17 LOOK-18 LOOK-19 LOOK-20 LOOK-21 LOOK-7 LOOK-8 MEMB-4 SEND-37",
  },
};
