import { isInRun, type Role } from "../../contract/engine/settings.ts";
import type { Tester } from "../../contract/engine/tester.ts";
import { type Exchange, isSuccess } from "../../contract/exchange.ts";

/** Days ahead that messages are scheduled: nearly the maximum, in case one cannot be canceled. */
const daysAhead = 28;
/** How far the server's clock may have been advanced, in units of `daysAhead`: more than a year. */
const maxPeriods = 14;
const day = 24 * 3600 * 1000;

/** Nothing was scheduled: the message says why. */
export class NotScheduled extends Error {}

/** Schedules messages, which the server validates completely but does not send. Each is canceled at once. */
export class ScheduledMessages {
  readonly #tester: Tester;
  canceled = 0;
  /** The ids of messages that could not be canceled. */
  readonly left: string[] = [];
  /** The ids of messages that the server most likely sent at once: without a time in the response, and not canceled. */
  readonly sent: string[] = [];

  constructor(tester: Tester) {
    this.#tester = tester;
  }

  /** The response to a message from domains.verified without changes, which is scheduled once. */
  fromVerified(): Promise<Exchange> {
    return this.#tester.once("a message scheduled by doctor", () => this.#scheduleEverLater());
  }

  /**
   * The response to a message from domains.verified, unless its changes have another sender.
   * @throws NotScheduled if there is no recipient or no working sender, if the server sends scheduled messages at once or cannot cancel them
   */
  async schedule(changes: Record<string, unknown>, key: Role = "full"): Promise<Exchange> {
    if (Object.keys(changes).length === 0) return this.fromVerified();
    if (!("from" in changes) && !isSuccess(await this.fromVerified()))
      throw new NotScheduled("it needs simulatorDomain and a working domains.verified.");
    return this.#schedule(changes, key);
  }

  /** Finds the time of a server whose clock is ahead, by scheduling ever later; the run uses it from then on. */
  async #scheduleEverLater(): Promise<Exchange> {
    const { run } = this.#tester;
    const before = run.offset;
    const first = await this.#schedule({}, "full");
    if (first.status !== 422) return first;
    for (let times = 1; times < maxPeriods; times += 1) {
      run.offset = times * daysAhead * day;
      const response = await this.#schedule({}, "full");
      if (isSuccess(response)) return response;
    }
    run.offset = before;
    return first;
  }

  async #schedule(changes: Record<string, unknown>, key: Role): Promise<Exchange> {
    const tester = this.#tester;
    const { simulatorDomain, recipientDomain, domains } = tester.settings.fixtures;
    if (!isInRun(tester.settings, "cancelEmail"))
      throw new NotScheduled("without cancelEmail, its message would stay scheduled.");
    // One unwanted email is enough.
    if (this.sent.length > 0) throw new NotScheduled("the server sends scheduled messages at once.");
    const from = changes.from ?? (domains?.verified && `contract@${domains.verified}`);
    const to = simulatorDomain
      ? `success@${simulatorDomain}`
      : recipientDomain && `contract-${tester.run.unique()}@${recipientDomain}`;
    if (from === undefined || (to === undefined && !("to" in changes)))
      throw new NotScheduled("it needs simulatorDomain and a working domains.verified.");
    const body = {
      from,
      to: [to],
      subject: `Contract doctor ${tester.run.unique()}`,
      text: "Scheduled by contract doctor to check the configuration, and canceled at once.",
      scheduled_at: new Date(tester.run.now() + daysAhead * day).toISOString(),
      ...changes,
    };
    const response = await tester.request("sendEmail", { body, key });
    if (isSuccess(response)) await this.#cancel(response, key);
    return response;
  }

  async #cancel({ json }: Exchange, key: Role): Promise<void> {
    const { id, scheduled_at } = (json ?? {}) as { id?: unknown; scheduled_at?: unknown };
    const canceled = await this.#tester.request("cancelEmail", { path: { id: String(id) }, key });
    if (isSuccess(canceled)) this.canceled += 1;
    else (typeof scheduled_at === "string" ? this.left : this.sent).push(String(id));
  }
}
