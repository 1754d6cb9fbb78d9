import type { Message } from "./records.ts";

/** A run over due messages. */
export interface DueRun {
  until: number;
  /** The most steps. */
  limit: number;
  step(message: DueMessage): DueStep;
  /** Called before the first step, again when the transaction is repeated. */
  start?(): void;
  /** A setting to change with the steps, after the last one; like the callback of `changeSetting`. */
  setting?: { name: string; change(value: string | undefined): string | undefined };
  /** Whether to wait for messages that another instance is processing, instead of leaving them to it. */
  complete?: boolean;
}

/** A message without its content, which no step changes and which may be megabytes. */
export type DueMessage = Omit<Message, "content">;

/** A message after a step, and the effects of the step. */
export interface DueStep {
  message: DueMessage;
  /** Recipients to count in the month of `at`. */
  counted?: { recipients: number; at: number };
  suppress?: { address: string; reason: string; at: number }[];
}
