/** The words of a text. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** IPv4 addresses that are not public: the first, last or a middle one of each network. */
const privateIpv4 = words(`
  0.0.0.0 0.1.2.3 10.0.0.0 10.0.0.1 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255 127.0.0.0
  127.0.0.1 127.0.0.53 127.255.255.255 168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2
  172.16.0.0 172.17.0.1 172.31.255.255 192.0.0.1 192.0.0.170 192.0.2.1 192.31.196.1 192.52.193.1
  192.88.99.1 192.168.0.0 192.168.1.1 192.168.255.255 192.175.48.1 198.18.0.1 198.19.255.255
  198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
`);

/** IPv6 addresses that are not public, and IPv4 addresses mapped to IPv6. */
const privateIpv6 = words(`
  :: ::1 0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001 ::0.0.0.1 0::1 ::2 ::ffff
  ::ffff:127.0.0.1 ::ffff:7f00:1 ::FFFF:7F00:0001 0:0:0:0:0:ffff:127.0.0.1 ::ffff:10.0.0.1
  ::ffff:a9fe:a9fe ::ffff:192.168.1.1 ::ffff:0.0.0.0 ::ffff:168.63.129.16 ::127.0.0.1 ::7f00:1 ::a00:1
  ::169.254.169.254 ::ffff:0:127.0.0.1 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b::127.0.0.1
  64:ff9b::a9fe:a9fe 64:ff9b::808:808 64:ff9b:1::1 64:ff9b:1::7f00:1 2002:7f00:1:: 2002:7f00:1::1
  2002:a00:1::1 2002:c0a8:101:: 2002:a9fe:a9fe:: 2001::1 2001:0:7f00:1::
  2001:0:4136:e378:8000:63bf:80ff:fffe 2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1
  2001:30::1 2001:db8::1 2001:db8:ffff::1 2620:4f:8000::1 3fff::1 5f00::1 100::1 fc00::1 fd00::1
  fd00:ec2::254 fdff:ffff::1 fe80::1 fe80::a9fe:a9fe febf::1 fec0::1 feff::1 ff02::1 ff0e::1 ffff::1
  4000::1 8000::1 c000::1 e000::1 1000::1
`);

/** The private addresses as DNS returns them. */
export const privateRecords: readonly string[] = [...privateIpv4, ...privateIpv6];

const on = (hosts: readonly string[]) => hosts.map((host) => `https://${host}/file.pdf`);

/** Links that must never lead to a connection, in several spellings. */
export const rejectedLinks: [kind: string, links: string[]][] = [
  ["IPv4 addresses that are not public", on(privateIpv4)],
  ["IPv6 addresses that are not public", on(privateIpv6.map((address) => `[${address}]`))],
  [
    "127.0.0.1 in other spellings",
    on([
      ...words(`
        2130706433 0x7f000001 0X7F000001 017700000001 00000000177.0.0.1 0x7f.0x0.0x0.0x1 0177.0.0.1
        0177.0.0.01 127.1 127.0.1 0x7f.1 0177.1 127.0x1 127.0.0.1. 2130706433. 0x7f.1. 127.65530
        0x7f.0.1 %31%32%37.0.0.1 127%2e0%2e0%2e1 127.0.0.1%2e %30x7f.1 ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1
        127．0．0．1 127｡0｡0｡1 𝟭𝟮𝟳.𝟬.𝟬.𝟭 １２７。１ 0ｘ7f.1 0x7f.0.0.0x1 0000177.0.0.1 0x0000000007f000001
      `),
      "127.0.0.\u00ad1",
      "127.0.\u200b0.1",
    ]),
  ],
  [
    "other private addresses in other spellings",
    on(
      words(`
      2852039166 0xa9fea9fe 0251.0376.0251.0376 169.16689662 169.254.43518 0xa9.254.0xa9.254 167772161
      10.1 0xa.1 012.1 192.168.257 0xc0a80101 3232235777 172.1048577 0 0. 0x0 00 0x 4294967295
      0xffffffff
    `),
    ),
  ],
  [
    "names inside networks",
    on(
      words(`
      localhost LOCALHOST localhost. LocalHost.localdomain foo.localhost foo.localhost. ⓛⓞⓒⓐⓛⓗⓞⓢⓣ
      loc%61lhost printer.local db.internal metadata.google.internal metadata.google.internal.
      host.docker.internal api.default.svc.cluster.local router.lan nas.home router.home.arpa wiki.corp
      wiki.intranet db.private api.test no.invalid x.onion x.alt 1.0.0.127.in-addr.arpa intranet
      metadata a kubernetes com com.
    `),
    ),
  ],
  [
    "hosts that are no names",
    on([
      ...words(`
        localhost.. files..example.com .example.com . .. -files.example.com files-.example.com
        [fe80::1%25eth0] [fe80::1%eth0] [::1%lo] [v1.fe80::1] [::ffff:127.1] [127.0.0.1] [::1 ::1
        1.2.3.4.5 256.0.0.1 127.0.0.256 0x7f.0.0.0x100 08.0.0.1 4294967296 files.0x1 %00
        files%2fexample.com files.example.com%23@127.0.0.1 files!.example.com files*.example.com
        files$.example.com
      `),
      "a b.com",
      `${"a".repeat(64)}.com`,
      `${"a.".repeat(130)}com`,
    ]),
  ],
  [
    "user information",
    words(`
      https://user@files.example.com/ https://user:secret@files.example.com/
      https://:@files.example.com/ https://@files.example.com/ https://files.example.com@127.0.0.1/
      https://127.0.0.1@files.example.com/ https:user@files.example.com/
      https:///user@files.example.com/ https://a@b@files.example.com/ https://%40@files.example.com/
    `),
  ],
  ["other ports", words("80 8443 444 22 25 0 65535 1").map((port) => `https://files.example.com:${port}/`)],
  [
    "other schemes, and no links at all",
    [
      "",
      " ",
      ...words(`
        http://files.example.com/ HTTP://files.example.com/ ftp://files.example.com/ file:///etc/passwd
        data:text/plain,x javascript:alert(1) gopher://files.example.com/
        blob:https://files.example.com/x ws://files.example.com/ wss://files.example.com/
        //files.example.com/ files.example.com/a /etc/passwd https: https:// https:/// https://?x
        https://#x
      `),
    ],
  ],
  [
    "characters that parsers read differently",
    [
      "https:\\\\127.0.0.1\\",
      "https://files.example.com\\@127.0.0.1/",
      "https://127.0.0.1\\@files.example.com/",
      "https:/\\127.0.0.1/",
      "https://files.exa\tmple.com/",
      "https://files.example.com/\r\nHost: 127.0.0.1",
      "https://files.example.com /",
      " https://files.example.com/",
      "https://files.example.com/\u0000",
      "https://files.example.com/\u200b",
      "https://files.example.com/\u2028",
      "ht\ntps://127.0.0.1/",
      "https://files.example.com/a b",
    ],
  ],
];
