// Addresses that must never be called, in every spelling we know. A recorder stands in the place of the socket, so
// nothing leaves this machine even where the guard fails.
import { Socket } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createOutbound } from './outbound.ts'
import type { GuardPolicy } from './policy.ts'
import { checkUrl } from './urls.ts'

const policy: GuardPolicy = { allowCidrs: [], allowLoopback: false, ownPorts: [8080] }
const dialled: string[] = []
const asked: string[] = []
const names = new Map<string, string[]>()

const outbound = createOutbound({
  policy,
  connect({ address, port }) {
    dialled.push(`${address} ${port}`)
    const socket = new Socket()
    queueMicrotask(() => socket.destroy(new Error('recorded')))
    return socket
  },
  async lookup(hostname) {
    asked.push(hostname)
    return names.get(hostname) ?? ['127.0.0.1']
  },
})
afterAll(() => outbound.close())

const call = (url: string) =>
  outbound.request({
    method: 'POST',
    url,
    body: '{}',
    timeoutMs: 2000,
    connectTimeoutMs: 1000,
    maxResponseBytes: 1024,
  })

const targets = [
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '10.1.2.3',
  '192.168.1.1',
  '172.16.0.1',
  '0.0.0.0',
]
const bytes = (ip: string) => ip.split('.').map(Number) as [number, number, number, number]
const number = (ip: string) => bytes(ip).reduce((sum, byte) => sum * 256 + byte, 0)
const hex = (value: number, width = 0) => value.toString(16).padStart(width, '0')
const word = (high: number, low: number) => hex(high * 256 + low)
const percent = (text: string) => [...text].map(char => `%${hex(char.charCodeAt(0), 2)}`).join('')
const shifted = (text: string, digit: number, dot: string) =>
  [...text].map(char => (char === '.' ? dot : String.fromCodePoint(digit + Number(char)))).join('')

function spellings(ip: string): string[] {
  const [a, b, c, d] = bytes(ip)
  const tail = `${word(a, b)}:${word(c, d)}`
  const inverted = `${word(a ^ 255, b ^ 255)}:${word(c ^ 255, d ^ 255)}`
  return [
    ip,
    `${ip}.`,
    `${number(ip)}`,
    `${number(ip)}.`,
    `0x${hex(number(ip))}`,
    `0X${hex(number(ip)).toUpperCase()}`,
    `0x0000${hex(number(ip), 8)}`,
    `0${number(ip).toString(8)}`,
    `000${number(ip).toString(8)}`,
    [a, b, c, d].map(byte => `0x${hex(byte)}`).join('.'),
    [a, b, c, d].map(byte => `0${byte.toString(8)}`).join('.'),
    [a, b, c, d].map(byte => byte.toString(8).padStart(8, '0')).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0x${hex(a)}.${b}.0${(c * 256 + d).toString(8)}`,
    `0${a.toString(8)}.0x${hex((b * 256 + c) * 256 + d)}`,
    percent(ip),
    percent(`${number(ip)}`),
    ip.replaceAll('.', '%2e'),
    ip.replaceAll('.', '\u3002'), // ideographic full stop
    ip.replaceAll('.', '\uff0e'), // full-width full stop
    ip.replaceAll('.', '\uff61'), // half-width ideographic full stop
    shifted(ip, 0xff10, '\uff0e'), // full-width digits
    shifted(ip, 0x1d7ce, '.'), // mathematical bold digits
    shifted(ip, 0x1d7f6, '\u3002'), // mathematical monospace digits
    `[::ffff:${ip}]`,
    `[::FFFF:${tail.toUpperCase()}]`,
    `[0:0:0:0:0:ffff:${tail}]`,
    `[0000:0000:0000:0000:0000:ffff:${ip}]`,
    `[::ffff:0:${tail}]`, // IPv4-translated
    `[::${ip}]`, // IPv4-compatible
    `[::${tail}]`,
    `[64:ff9b::${ip}]`, // NAT64
    `[64:ff9b::${tail}]`,
    `[0064:ff9b:0000:0000:0000:0000:${ip}]`,
    `[64:ff9b:1::${ip}]`, // NAT64 of the local network
    `[64:ff9b:1:ffff:ffff:ffff:${tail}]`,
    `[2002:${tail}::]`, // 6to4
    `[2002:${tail}::1]`,
    `[2002:${tail}:0:0:0:${tail}]`,
    `[2001:0:4136:e378:8000:63bf:${inverted}]`, // Teredo, client address
    `[2001::${tail}:0:0:0:0]`, // Teredo, server address
  ]
}

const literals = targets.flatMap(spellings).map(host => `http://${host}/`)

const others = [
  // short and odd numbers
  ...['0', '1', '127.1', '127.0.1', '0x7f.1', '0177.1', '0x7f000001', '017700000001', '00', '0x', '0x.0x.0'],
  ...['4294967295', '2852039166', '127.0.0.1:80', '127.0.0.1:65535', '2130706433:8080', '127.000.000.001'],
  ...['0177.0000.0000.0001', '0x7f.0x0.0x0.0x1', '0.1', '255.255.255.255', '1.2.3.4.5', '256.1.1.1'],
  ...[
    '127.0.0.1%00',
    '127.0.0.1%20',
    '127.0.0.1%09',
    '127%2e1',
    '%30',
    '127.0.0.0x1',
    '①②⑦.⓪.⓪.①',
    '⑯⑨。②⑤④。⑯⑨。②⑤④',
  ],
  // other ranges nobody outside may be called in
  ...[
    '100.64.0.1',
    '100.127.255.255',
    '100.100.100.200',
    '192.0.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
  ],
  ...[
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '192.88.99.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
  ],
  ...[
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '254.254.254.254',
    '168.63.129.16',
    '169.254.170.2',
    '169.254.0.1',
  ],
  ...['10.255.255.255', '172.31.255.255', '192.168.0.0', '0.255.255.255'],
  // IPv6
  ...[
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::0.0.0.1]',
    '[::0001]',
    '[0::1]',
    '[::1]:8080',
    '[::%31]',
  ],
  ...[
    '[fe80::1]',
    '[FE80::A]',
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00::1]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
  ],
  ...[
    '[FD00:EC2:0:0:0:0:0:254]',
    '[fdff:ffff::1]',
    '[ff02::1]',
    '[ff0e::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
  ],
  ...[
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[2001:3::1]',
    '[2001:4:112::1]',
    '[2620:4f:8000::1]',
    '[5f00::1]',
  ],
  ...[
    '[4000::1]',
    '[8000::1]',
    '[e000::1]',
    '[1::1]',
    '[64:ff9b::1]',
    '[64:ff9b:1::1]',
    '[64:ff9c::1]',
    '[::2]',
  ],
  // zone ids
  ...[
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]',
    '[::1%25lo]',
    '[::1%lo]',
    '[::1%251]',
    '[2606:4700::1%25eth0]',
    '[fe80::1%]',
  ],
  // this machine by name
  ...[
    'localhost',
    'LOCALHOST',
    'LocalHost',
    'localhost.',
    'localhost:80',
    'foo.localhost',
    'a.b.localhost.',
    '%6cocalhost',
  ],
  ...[
    'ⓛocalhost',
    'localhost',
    'localhost.localdomain',
    'ip6-localhost',
    'ip6-loopback',
    'lo%63alhost',
    'ﬂ.localhost',
  ],
].map(host => `http://${host}/`)

const forms = [
  // userinfo
  'http://user@example.com/',
  'http://user:pass@example.com/',
  'http://@example.com/',
  'http://:@example.com/',
  'http://example.com@127.0.0.1/',
  'http://example.com:80@127.0.0.1/',
  'http://127.0.0.1@example.com/',
  'http://example.com%40127.0.0.1/',
  'http://example.com\\@127.0.0.1/',
  'http://127.0.0.1\\@example.com/',
  'http://127.0.0.1#@example.com/',
  'http://127.0.0.1?@example.com/',
  'http://127.0.0.1;@example.com/',
  // separators and schemes
  'http:127.0.0.1/',
  'http:/127.0.0.1/',
  'http:///127.0.0.1/',
  'http:////127.0.0.1/',
  'http:\\\\127.0.0.1\\',
  'http:/\\127.0.0.1/',
  'http://\\127.0.0.1/',
  '//127.0.0.1/',
  '127.0.0.1',
  'http://',
  'http://?',
  'http://#',
  'http://:80/',
  'https://',
  'HTTP://127.0.0.1/',
  'hTTpS://2130706433/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'file://127.0.0.1/etc/passwd',
  'gopher://127.0.0.1:6379/_PING',
  'dict://127.0.0.1:11211/stat',
  'ldap://127.0.0.1/',
  'ws://127.0.0.1/',
  'unix:/var/run/docker.sock',
  'http+unix://%2fvar%2frun%2fdocker.sock/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'blob:http://127.0.0.1/1',
  'jar:http://127.0.0.1!/',
  'view-source:http://127.0.0.1/',
  // spaces, control characters, broken hosts
  ' http://127.0.0.1/',
  'http://127.0.0.1 /',
  'http://exa mple.com/',
  'http://\t127.0.0.1/',
  'http://127.0.\n0.1/',
  'ht\ntp://127.0.0.1/',
  'http://example.com\r\nHost: 127.0.0.1/',
  'http://example.com/\u0000',
  'http://\u0000127.0.0.1/',
  'http://127.0.0.1\u00ad/',
  'http://1\u200b27.0.0.1/',
  'http://127\u2024 0.0.1/',
  'http://[::1/',
  'http://::1/',
  'http://[::1]]/',
  'http://[[::1]]/',
  'http://[127.0.0.1]/',
  'http://[::ffff:127.1]/',
  'http://[::ffff:0x7f.0.0.1]/',
  'http://[v1.127.0.0.1]/',
  'http://127.0.0.1:99999/',
  'http://127.0.0.1:-1/',
  'http://example.com:0/',
  'http://example.com:8o/',
  'http://xn--/',
  'http://example..com:x/',
  '',
]

const all = [...new Set([...literals, ...others, ...forms])]

describe('a forbidden address', () => {
  it('has more than two hundred spellings here', () => {
    expect(all.length).toBeGreaterThan(400)
  })

  it.each(all)('%j is refused when saved and when called, and no socket is made', async url => {
    dialled.length = 0
    asked.length = 0
    const checked = checkUrl(policy, url)
    expect(checked).toMatchObject({
      ok: false,
      code: expect.stringMatching(/^(invalid_url|forbidden_address)$/),
    })
    expect(await call(url)).toMatchObject({ ok: false, code: (checked as { code: string }).code })
    expect({ dialled, asked }).toEqual({ dialled: [], asked: [] })
  })

  it.each(literals)('%j is judged as an address, not as a bad URL', url => {
    expect(checkUrl(policy, url)).toMatchObject({ code: 'forbidden_address' })
  })
})

describe('a name', () => {
  const answers = [
    ['127.0.0.1'],
    ['10.0.0.1', '192.168.0.1'],
    ['169.254.169.254'],
    ['::1'],
    ['::'],
    ['::ffff:10.0.0.1'],
    ['::ffff:a9fe:a9fe'],
    ['fe80::1%eth0'],
    ['2606:4700::1%eth0'],
    ['fd00:ec2::254'],
    ['64:ff9b::a9fe:a9fe'],
    ['2002:7f00:1::'],
    ['0.0.0.0'],
    ['127.1'], // not what a resolver answers, but never to be passed on
    ['0x7f000001'],
    ['not-an-address'],
  ]
  it.each(answers)('is refused when it resolves to %s', async (...found) => {
    dialled.length = 0
    names.set('receiver.example', found)
    expect(checkUrl(policy, 'http://receiver.example/')).toMatchObject({ ok: true })
    const result = await call('http://receiver.example/')
    expect(result).toMatchObject({ ok: false, code: 'forbidden_address' })
    expect(dialled).toEqual([])
    expect(JSON.stringify(result)).not.toContain(found[0])
  })

  it('that resolves to public and private addresses is called on the public ones only', async () => {
    dialled.length = 0
    names.set('mixed.example', ['10.0.0.1', '93.184.216.34', '::1', '2606:2800:220:1::1'])
    expect(await call('https://mixed.example/')).toMatchObject({ ok: false, code: 'connect_failed' })
    expect(dialled).toEqual(['93.184.216.34 443', '2606:2800:220:1::1 443'])
  })
})

describe('a public address', () => {
  const reached = [
    ['http://8.8.8.8/', '8.8.8.8 80'],
    ['https://8.8.8.8/', '8.8.8.8 443'],
    ['http://134744072:8080/', '8.8.8.8 8080'],
    ['http://[2606:4700:4700::1111]:81/', '2606:4700:4700::1111 81'],
    ['http://[::ffff:8.8.8.8]/', '::ffff:808:808 80'],
    ['http://[64:ff9b::8.8.8.8]/', '64:ff9b::808:808 80'],
    ['http://100.63.255.255/', '100.63.255.255 80'],
    ['http://100.128.0.0/', '100.128.0.0 80'],
    ['http://172.15.255.255/', '172.15.255.255 80'],
    ['http://172.32.0.0/', '172.32.0.0 80'],
    ['http://223.255.255.255/', '223.255.255.255 80'],
  ]
  it.each(reached)('%s reaches the socket, which shows that the recorder records', async (url, target) => {
    dialled.length = 0
    expect(checkUrl(policy, url!)).toMatchObject({ ok: true })
    expect(await call(url!)).toMatchObject({ ok: false, code: 'connect_failed' })
    expect(dialled).toEqual([target])
  })
})
