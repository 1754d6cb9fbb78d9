import { privateAddresses, privateIpv6 } from "./private-addresses.ts";

/** Links that must never lead to a connection, in several spellings. */
export interface RejectedLinks {
  kind: string;
  links: string[];
}

const on = (hosts: string[]) => hosts.map((host) => `https://${host}/file.pdf`);

/** The private addresses as DNS returns them. */
export function privateRecords(): string[] {
  return [...privateAddresses, ...privateIpv6];
}

export const rejectedLinks: RejectedLinks[] = [
  { kind: "IPv4 addresses that are not public", links: on(privateAddresses) },
  { kind: "IPv6 addresses that are not public", links: on(privateIpv6.map((address) => `[${address}]`)) },
  {
    kind: "127.0.0.1 in other spellings",
    links: on([
      ...[
        "2130706433",
        "0x7f000001",
        "0X7F000001",
        "017700000001",
        "00000000177.0.0.1",
        "0x7f.0x0.0x0.0x1",
        "0177.0.0.1",
        "0177.0.0.01",
      ],
      ...[
        "127.1",
        "127.0.1",
        "0x7f.1",
        "0177.1",
        "127.0x1",
        "127.0.0.1.",
        "2130706433.",
        "0x7f.1.",
        "127.65530",
        "0x7f.0.1",
      ],
      ...[
        "%31%32%37.0.0.1",
        "127%2e0%2e0%2e1",
        "127.0.0.1%2e",
        "%30x7f.1",
        "①②⑦.⓪.⓪.①",
        "１２７.０.０.１",
        "127。0。0。1",
        "127．0．0．1",
        "127｡0｡0｡1",
      ],
      ...[
        "𝟭𝟮𝟳.𝟬.𝟬.𝟭",
        "１２７。１",
        "0ｘ7f.1",
        "127.0.0.\u00ad1",
        "127.0.\u200b0.1",
        "0x7f.0.0.0x1",
        "0000177.0.0.1",
        "0x0000000007f000001",
      ],
    ]),
  },
  {
    kind: "other private addresses in other spellings",
    links: on([
      ...[
        "2852039166",
        "0xa9fea9fe",
        "0251.0376.0251.0376",
        "169.16689662",
        "169.254.43518",
        "0xa9.254.0xa9.254",
        "167772161",
        "10.1",
        "0xa.1",
      ],
      ...[
        "012.1",
        "192.168.257",
        "0xc0a80101",
        "3232235777",
        "172.1048577",
        "0",
        "0.",
        "0x0",
        "00",
        "0x",
        "4294967295",
        "0xffffffff",
      ],
    ]),
  },
  {
    kind: "names inside networks",
    links: on([
      ...[
        "localhost",
        "LOCALHOST",
        "localhost.",
        "LocalHost.localdomain",
        "foo.localhost",
        "foo.localhost.",
        "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
        "loc%61lhost",
      ],
      ...[
        "printer.local",
        "db.internal",
        "metadata.google.internal",
        "metadata.google.internal.",
        "host.docker.internal",
      ],
      ...[
        "api.default.svc.cluster.local",
        "router.lan",
        "nas.home",
        "router.home.arpa",
        "wiki.corp",
        "wiki.intranet",
        "db.private",
        "api.test",
      ],
      ...[
        "no.invalid",
        "x.onion",
        "x.alt",
        "1.0.0.127.in-addr.arpa",
        "intranet",
        "metadata",
        "a",
        "kubernetes",
        "com",
        "com.",
      ],
    ]),
  },
  {
    kind: "hosts that are no names",
    links: on([
      ...[
        "localhost..",
        "files..example.com",
        ".example.com",
        ".",
        "..",
        "-files.example.com",
        "files-.example.com",
        `${"a".repeat(64)}.com`,
      ],
      ...[
        `${"a.".repeat(130)}com`,
        "[fe80::1%25eth0]",
        "[fe80::1%eth0]",
        "[::1%lo]",
        "[v1.fe80::1]",
        "[::ffff:127.1]",
        "[127.0.0.1]",
        "[::1",
        "::1",
      ],
      ...[
        "1.2.3.4.5",
        "256.0.0.1",
        "127.0.0.256",
        "0x7f.0.0.0x100",
        "08.0.0.1",
        "4294967296",
        "files.0x1",
        "%00",
        "files%2fexample.com",
        "a b.com",
      ],
      ...["files.example.com%23@127.0.0.1", "files!.example.com", "files*.example.com", "files$.example.com"],
    ]),
  },
  {
    kind: "user information",
    links: [
      ...[
        "https://user@files.example.com/",
        "https://user:secret@files.example.com/",
        "https://:@files.example.com/",
      ],
      ...[
        "https://@files.example.com/",
        "https://files.example.com@127.0.0.1/",
        "https://127.0.0.1@files.example.com/",
      ],
      ...[
        "https:user@files.example.com/",
        "https:///user@files.example.com/",
        "https://a@b@files.example.com/",
        "https://%40@files.example.com/",
      ],
    ],
  },
  {
    kind: "other ports",
    links: ["80", "8443", "444", "22", "25", "0", "65535", "1"].map(
      (port) => `https://files.example.com:${port}/`,
    ),
  },
  {
    kind: "other schemes, and no links at all",
    links: [
      ...[
        "http://files.example.com/",
        "HTTP://files.example.com/",
        "ftp://files.example.com/",
        "file:///etc/passwd",
        "data:text/plain,x",
      ],
      ...[
        "javascript:alert(1)",
        "gopher://files.example.com/",
        "blob:https://files.example.com/x",
        "ws://files.example.com/",
        "wss://files.example.com/",
      ],
      ...[
        "//files.example.com/",
        "files.example.com/a",
        "/etc/passwd",
        "",
        " ",
        "https:",
        "https://",
        "https:///",
        "https://?x",
        "https://#x",
      ],
    ],
  },
  {
    kind: "characters that parsers read differently",
    links: [
      ...[
        "https:\\\\127.0.0.1\\",
        "https://files.example.com\\@127.0.0.1/",
        "https://127.0.0.1\\@files.example.com/",
        "https:/\\127.0.0.1/",
      ],
      ...[
        "https://files.exa\tmple.com/",
        "https://files.example.com/\r\nHost: 127.0.0.1",
        "https://files.example.com /",
        " https://files.example.com/",
      ],
      ...[
        "https://files.example.com/\u0000",
        "https://files.example.com/\u200b",
        "https://files.example.com/\u2028",
        "ht\ntps://127.0.0.1/",
      ],
      ...["https://files.example.com/a b"],
    ],
  },
];
