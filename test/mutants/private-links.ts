// Links into private networks.

import { isSend } from "./email.ts";
import { withBody, without } from "./fault-support.ts";
import { type Mutant, takes } from "./mutant.ts";
import { listOf, objectOf, textOf } from "./newsletter.ts";

/** Links that are taken although they lead into a private network. */
const acceptsLink = (title: string, isTaken: (host: string, link: string) => boolean): Mutant =>
  takes("ATT-9", title, (request) => {
    if (!isSend(request)) return request;
    const hostOf = (link: string): string =>
      /^https:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/?#]*)/i.exec(link)?.[1] ?? "";
    return withBody(request, (body) =>
      Array.isArray(body.attachments)
        ? {
            ...body,
            attachments: body.attachments.map((one) => {
              const link = textOf(objectOf(one).path);
              return link !== "" && isTaken(hostOf(link), link)
                ? { ...without(objectOf(one), "path"), content: "cHJpdmF0ZQ==" }
                : one;
            }),
          }
        : body,
    );
  });

/** Hosts in private networks, as they are missed. */
const privateHosts: readonly [what: string, host: RegExp][] = [
  // Source: OneUptime/oneuptime#2578, documenso/documenso#3166, open-jarvis/OpenJarvis#327
  ["a private IPv4 address that is mapped to IPv6", /^\[::ffff:/i],
  // Source: Helicone/helicone#5786 (decimal notation)
  ["a private address as one decimal number", /^\d{8,}$/],
  // Source: Helicone/helicone#5786 (hexadecimal and octal notation)
  ["a private address in hexadecimal or octal notation", /^0x|\.0x|^0\d/i],
  // Source: Helicone/helicone#5786 (short notation)
  ["127.1", /^(127|10)\.\d+$/],
  // Source: Helicone/helicone#5786 (carrier-grade NAT)
  ["an address of a carrier's network (100.64.0.0/10)", /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./],
  // Source: odysseus-dev/odysseus#1053 (the unspecified address)
  ["the address [::] or 0.0.0.0", /^(\[::\]|0\.0\.0\.0)$/],
  // Source: flytohub/flyto-core#20 (NAT64 and 6to4)
  ["a private address behind NAT64 or 6to4", /^\[(64:ff9b:|2002:)/i],
  // Source: novuhq/novu#10457 (unique local addresses by one prefix)
  ["a unique local address that does not begin with fc00", /^\[f[cd](?!00:)/i],
  // Source: from experience (the dot at the end of a name)
  ["localhost with a dot at its end", /^localhost\.$/i],
  // Source: from experience (names below localhost)
  ["a name below localhost", /\.localhost\.?$/i],
  // Source: from experience (digits in other forms)
  ["a private address in full-width digits", /[０-９。．①-⑨]/u],
  // Source: odysseus-dev/odysseus#1053 (metadata of a cloud)
  ["the metadata service of a cloud", /^(169\.254\.169\.254|metadata\.google\.internal\.?)$/i],
  // Source: from experience (172.16 to 172.31)
  ["172.31.0.0/16", /^172\.31\./],
];

export const privateLinkMutants: Mutant[] = [
  // Source: from experience (user names in a URL hide the host)
  acceptsLink("a link to a private address after a user name is accepted", (_, link) =>
    /^https:\/\/[^/]*@/i.test(link),
  ),

  ...privateHosts.map(([what, host]) =>
    acceptsLink(`a link to ${what} is accepted`, (one) => host.test(one)),
  ),
  // Source: from experience (the check stops at the first link)
  takes("ATT-9", "a link into a private network is accepted if another attachment comes first", (request) => {
    const { attachments } = objectOf(request.body);
    const isPrivate = (one: unknown): boolean =>
      /^https:\/\/(localhost|127\.|10\.|192\.168\.|169\.254\.|\[)/i.test(textOf(objectOf(one).path));
    if (!isSend(request) || !listOf(attachments).slice(1).some(isPrivate)) return request;
    const taken = listOf(attachments).map((one, index) =>
      index > 0 && isPrivate(one) ? { ...without(objectOf(one), "path"), content: "cHJpdmF0ZQ==" } : one,
    );
    return withBody(request, (body) => ({ ...body, attachments: taken }));
  }),
];
