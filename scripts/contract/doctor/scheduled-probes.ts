import type { Role } from "../../../test/contract/engine/settings.ts";
import type { Tester } from "../../../test/contract/engine/tester.ts";
import { type Exchange, errorOf, isSuccess } from "../../../test/contract/exchange.ts";
import { type Finding, ok, responseText, unproven, wrong } from "./finding.ts";

/** How far ahead messages are scheduled, in days: nearly as far as it goes, should one be left over. */
const ahead = 28;
/** How far the server's clock may have been moved on, in those: more than a year. */
const furthest = 14;
const day = 24 * 3600 * 1000;

/**
 * Shows what only a message shows, without sending one: a scheduled message is fully validated when it is asked for, and does not
 * count until it is sent. Each is canceled at once.
 */
export class ScheduledProbes {
  readonly #tester: Tester;
  /** How many were scheduled and canceled again. */
  canceled = 0;
  /** The ids of those that could not be canceled. */
  readonly left: string[] = [];
  /** The ids of those that the server most likely sent at once: it told no time, and did not cancel them. */
  readonly sent: string[] = [];
  /** Whether a message from domains.verified was refused, so that nothing else is learned with one. */
  #isStuck = false;
  #verified: Promise<Finding> | undefined;

  constructor(tester: Tester) {
    this.#tester = tester;
  }

  /** A domain, by the state that it must be in; the verified one is tried once. */
  ofDomain(state: "verified" | "restricted" | "unfinished" | "stopped"): Promise<Finding> {
    if (state !== "verified") return this.#ofDomain(state);
    this.#verified ??= this.#ofDomain(state);
    return this.#verified;
  }

  async #ofDomain(state: "verified" | "restricted" | "unfinished" | "stopped"): Promise<Finding> {
    const { keys, fixtures } = this.#tester.settings;
    const from = fixtures.domains?.[state];
    const role = state === "restricted" && keys.restricted !== undefined ? "restricted" : "full";
    const first = await this.#schedule({ from: `contract@${from}` }, role);
    if (first === undefined) return unproven(this.#without(needsRecipient));
    const answer =
      state === "verified" && first.status === 422
        ? await this.#scheduleLater(`contract@${from}`, first)
        : first;
    if (state === "verified") this.#isStuck = !isSuccess(answer);
    if (state === "verified" || state === "restricted") return taken(answer, "A message from it");
    if (isRefusedWith(answer, 409)) return ok("refuses messages, as it should");
    return wrong(`A message from it is answered ${responseText(answer)}, not 409 send_rejected.`);
  }

  /** A domain of another account. */
  async ofRole(role: Role): Promise<Finding> {
    const { keys, fixtures } = this.#tester.settings;
    if (keys[role] === undefined) return unproven(`It needs keys.${role}.`);
    const answer = await this.#schedule({ from: `contract@${fixtures.domains?.ofRole?.[role]}` }, role);
    if (answer === undefined) return unproven(this.#without(needsRecipient));
    if (role !== "atCeiling") return taken(answer, "A message from it");
    if (isRefusedWith(answer, 429)) return ok("its account is at its ceiling");
    return isSuccess(answer) ? unproven("Only a run shows the ceiling.") : taken(answer, "A message from it");
  }

  /** The template with its variables. */
  async ofTemplate(): Promise<Finding> {
    const { template } = this.#tester.settings.fixtures;
    const { id, variables } = template ?? {};
    const answer = await this.#scheduleFromVerified({
      subject: undefined,
      text: undefined,
      template_id: id,
      ...(variables && { variables }),
    });
    return answer === undefined
      ? unproven(this.#without(needsBoth))
      : taken(answer, "A message made from it");
  }

  /** Addresses that sending must have stopped to. */
  async ofSuppressed(addresses: readonly string[]): Promise<Finding> {
    const answers = [];
    for (const address of addresses) {
      const answer = await this.#scheduleFromVerified({ to: [address] });
      if (answer === undefined) return unproven(this.#without(needsBoth));
      answers.push({ place: answers.length, answer });
    }
    const bad = answers.find(({ answer }) => !isRefusedWith(answer, 422));
    if (bad === undefined) return ok("messages to them are refused, as they should be");
    return wrong(
      `A message to the entry [${bad.place}] is answered ${responseText(bad.answer)}, not 422 send_rejected. Give addresses that sending has stopped to.`,
    );
  }

  /** The link of an attachment. */
  async ofAttachment(): Promise<Finding> {
    const { attachmentLink } = this.#tester.settings.fixtures;
    const attachments = [{ filename: "contract.txt", path: attachmentLink }];
    const answer = await this.#scheduleFromVerified({ attachments });
    return answer === undefined ? unproven(this.#without(needsBoth)) : taken(answer, "A message with it");
  }

  /**
   * Finds the time that messages can be scheduled for where the server's clock is further than ours, and goes by it from then on.
   * @returns the answer to the message that was taken, or the first one
   */
  async #scheduleLater(from: string, first: Exchange): Promise<Exchange> {
    const { run } = this.#tester;
    const before = run.offset;
    for (let times = 1; times < furthest; times += 1) {
      run.setOffset(times * ahead * day);
      const answer = await this.#schedule({ from }, "full");
      if (answer !== undefined && isSuccess(answer)) return answer;
    }
    run.setOffset(before);
    return first;
  }

  async #scheduleFromVerified(changes: Record<string, unknown>): Promise<Exchange | undefined> {
    const verified = this.#tester.settings.fixtures.domains?.verified;
    return verified === undefined || this.#isStuck
      ? undefined
      : this.#schedule({ from: `contract@${verified}`, ...changes }, "full");
  }

  /** Undefined where there is nobody to write to, or the server does not wait with what is scheduled. */
  async #schedule(changes: Record<string, unknown>, key: Role): Promise<Exchange | undefined> {
    const tester = this.#tester;
    const { simulatorDomain, recipientDomain } = tester.settings.fixtures;
    const to =
      simulatorDomain === undefined
        ? recipientDomain && `contract-${tester.run.unique()}@${recipientDomain}`
        : `success@${simulatorDomain}`;
    if (to === undefined && !("to" in changes)) return undefined;
    // One message that nobody wanted sent is enough.
    if (this.sent.length > 0) return undefined;
    const at = new Date(tester.run.now() + ahead * day);
    const body = {
      to: [to],
      subject: `Contract doctor ${tester.run.unique()}`,
      text: "Scheduled by a look at the set-up of a contract run, and canceled at once.",
      scheduled_at: at.toISOString(),
      ...changes,
    };
    const answer = await tester.request("sendEmail", { body, key });
    if (isSuccess(answer)) await this.#cancel(answer, key);
    return answer;
  }

  async #cancel({ json }: Exchange, key: Role): Promise<void> {
    const { id, scheduled_at } = (json ?? {}) as { id?: unknown; scheduled_at?: unknown };
    const canceled = await this.#tester.request("cancelEmail", { path: { id: String(id) }, key });
    if (isSuccess(canceled)) this.canceled += 1;
    else (typeof scheduled_at === "string" ? this.left : this.sent).push(String(id));
  }

  /** Why nothing was looked at. */
  #without(needs: string): string {
    return this.sent.length > 0 ? "Not looked at: the server sends what is scheduled." : needs;
  }
}

const needsRecipient = "To look, it takes a recipient: set simulatorDomain.";
const needsBoth = "To look, it takes a simulatorDomain and a good domains.verified.";

const isRefusedWith = (answer: Exchange, status: number): boolean =>
  answer.status === status && errorOf(answer)?.type === "send_rejected";

function taken(answer: Exchange, what: string): Finding {
  if (isSuccess(answer)) return ok(`${what.charAt(0).toLowerCase()}${what.slice(1)} is taken`);
  const said = errorOf(answer)?.message;
  return wrong(`${what} is answered ${responseText(answer)}${said === undefined ? "" : `: ${String(said)}`}`);
}
