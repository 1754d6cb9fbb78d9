import { type Html, html, type Insert } from "../../lib/html.ts";
import { originOf } from "../api/path-matcher.ts";
import type { Account } from "../domain/records.ts";
import { firstRequest } from "../seed/first-request.ts";
import { keyId, type SeedAccount } from "../seed/seed.ts";
import { copyButton, type PageContext, rows, userText } from "./components.ts";

/** The first request and the API keys, of one account in full. */
export function startSection({ services, request }: PageContext, chosen: Account | undefined): Html {
  const { seed } = services;
  const account = seed.accounts.find(({ id }) => id === chosen?.id) ?? seed.accounts[0];
  const others = seed.accounts.filter((one) => one !== account);
  const url = originOf(request);
  const own = { ...seed, accounts: account === undefined ? [] : [account] };
  const command = firstRequest(url, own) || firstRequest(url, seed);
  return html`<details class="start" id="keys" open><summary>Send a message: command and keys</summary>
${
  command !== "" &&
  html`<div class="copies command"><h2>Send a message</h2>${copyButton("Copy the command")}<pre tabindex="0"><code>${command}</code></pre></div>`
}
${account !== undefined && html`<h2>API keys of ${userText(account.name ?? account.id)}</h2>${keyList(account)}`}
${others.length > 0 && html`<details><summary>Keys of the other accounts</summary>${others.map(otherAccount)}</details>`}
</details>`;
}

const otherAccount = (account: SeedAccount): Insert =>
  html`<h3>${userText(account.name ?? account.id)}</h3>${keyList(account)}`;

const keyList = (account: SeedAccount): Html =>
  rows(
    account.keys.map(({ key, label }, index) => {
      const name = label ?? keyId(account, index);
      return html`<div class="copies"><div><code>${key}</code><div class="small soft">${userText(name)}</div></div>${copyButton(`Copy the key ${name}`)}</div>`;
    }),
    "No keys.",
  );
