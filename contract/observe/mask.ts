import { mapValues } from "../../lib/objects.ts";
import { count } from "../../lib/text.ts";
import { recordExchange } from "../engine/outcome.ts";
import { redacted } from "../engine/secrets.ts";
import type { Exchange } from "../exchange.ts";
import { maskedExchange } from "../report/mask.ts";
import { harmlessUrl, isHarmless } from "./credentials.ts";

/** An exchange for reports. Unless these show bodies, it has no email addresses and ids either. */
export function recordedExchange(exchange: Exchange, redact: (text: string) => string, showsBodies: boolean) {
  const recorded = recordExchange(exchange, redact);
  return showsBodies ? recorded : maskedExchange(recorded, exchange.request, "; --show-bodies shows them");
}

/** An exchange with what is known to be harmless, and without any credential in it. */
export function redactedExchange(exchange: Exchange, clean: (text: string) => string): Exchange {
  const { sent, headers, request } = exchange;
  const cleanHeaders = (given: Record<string, string>): Record<string, string> =>
    mapValues(given, (value, name) => (isHarmless(name) ? clean(value) : redacted));
  return {
    ...exchange,
    request: { ...request, path: clean(harmlessUrl(request.path)) },
    sent: {
      headers: cleanHeaders(sent.headers),
      text: sent.text === undefined ? undefined : clean(sent.text),
    },
    headers: cleanHeaders(headers),
    text: clean(exchange.text),
  };
}

/** What responses have in addition to the document, counted: the names come from responses. */
export function countedAdditions(additions: ReadonlySet<string>): string[] {
  return ["field", "header", "error type"].flatMap((kind) => {
    const times = [...additions].filter((text) => text.startsWith(`${kind} `)).length;
    return times === 0 ? [] : [`${count(times, kind)} of responses (--show-bodies names them)`];
  });
}
