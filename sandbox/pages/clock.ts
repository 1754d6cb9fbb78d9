import type { SiteAnswer } from "../control/answer.ts";
import { type Html, html } from "./html.ts";
import { document, moment } from "./layout.ts";
import type { Visit } from "./visit.ts";

const steps = [
  ["PT1M", "1 minute"],
  ["PT1H", "1 hour"],
  ["P1D", "1 day"],
  ["P7D", "7 days"],
  ["P30D", "30 days"],
] as const;

/** The time of the sandbox, with what moves it. */
export async function clockPage({ parts }: Visit): Promise<SiteAnswer> {
  const now = parts.clock.now();
  const due = await parts.store.nextDue();
  const content = html`<h1>Clock</h1>
<p class="lead">One clock rules scheduled mail, deliveries, idempotency keys, look-ups, rate limits, quotas and key overlaps.</p>
<p class="big">${moment(now)} <small class="soft">UTC</small></p>
<p class="soft">${due === null ? "Nothing is due." : html`The next message is due at ${moment(due)}.`}</p>
<h2>Move it on</h2>
<form class="line" method="post" action="/clock">${steps.map(stepButton)}
${due !== null && html`<button class="chief" name="to" value="${new Date(Math.max(due, now)).toISOString()}">To the next message</button>`}</form>
<form class="line" method="post" action="/clock"><label>To a time (UTC)<input type="datetime-local" name="local" required min="${new Date(now).toISOString().slice(0, 16)}" step="1"></label><button>Move there</button></form>
<h2>Start again</h2>
<p class="soft">Forgets messages, calls and changes to contacts, and puts back what the seed has.</p>
<form method="post" action="/reset"><button class="harm">Reset the sandbox</button></form>`;
  return document({ title: "Clock", section: "/clock", now, content });
}

const stepButton = ([duration, label]: (typeof steps)[number]): Html =>
  html`<button name="advance" value="${duration}">${label}</button>`;
