import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { checkPolicy, type GuardPolicy, getForbiddenReason } from './policy.ts'
import { checkUrl } from './urls.ts'

function allowing(...allowCidrs: string[]): GuardPolicy {
  const policy = { allowCidrs, allowLoopback: false, ownPorts: [] }
  checkPolicy(policy)
  return policy
}

const closed = allowing()

describe('the allow-list', () => {
  it('takes addresses and networks', () => {
    const policy = allowing('10.0.0.0/8', '192.168.1.5', 'fd12:3456::/32')
    for (const ip of [
      '10.0.0.1',
      '10.255.255.255',
      '192.168.1.5',
      'fd12:3456:1::9',
      '::ffff:10.1.1.1',
      '8.8.8.8',
    ]) {
      expect([ip, getForbiddenReason(policy, ip)]).toEqual([ip, null])
    }
    for (const ip of [
      '192.168.1.6',
      '172.16.0.1',
      'fd12:3457::1',
      '127.0.0.1',
      '64:ff9b::10.0.0.1',
      '::10.0.0.1',
    ]) {
      expect([ip, getForbiddenReason(policy, ip)]).toEqual([ip, expect.any(String)])
    }
  })

  const faults = [
    ['10.0.0.0/33', 'more than 32 bits'],
    ['10.0.0.1/8', '10.0.0.0/8'],
    ['10.0.0/8', 'write an IP address'],
    ['10', 'write an IP address'],
    ['0x0a.0.0.1', 'write an IP address'],
    ['10.0.0.0/8/8', 'write an IP address'],
    ['10.0.0.0/', 'write an IP address'],
    ['receiver.internal', 'write an IP address'],
    ['fe80::1%eth0', 'write an IP address'],
    ['fd00::/129', 'more than 128 bits'],
    ['fd00::1/64', 'fd00::/64'],
    ['::ffff:10.0.0.0/104', 'dotted form'],
    ['127.0.0.0/8', 'setting of its own'],
    ['127.0.0.1', 'setting of its own'],
    ['::1', 'setting of its own'],
    ['0.0.0.0', 'setting of its own'],
  ]
  it.each(faults)('refuses %s, naming it', (entry, why) => {
    expect(() => allowing('172.16.0.0/12', entry)).toThrow(`"${entry}" cannot be allowed: `)
    expect(() => allowing(entry)).toThrow(why)
  })

  it('never opens loopback or metadata by a network that happens to cover them', () => {
    const policy = allowing('0.0.0.0/0', '::/0')
    expect(getForbiddenReason(policy, '192.168.1.1')).toBeNull()
    expect(getForbiddenReason(policy, '127.0.0.1')).toBe('loopback')
    expect(getForbiddenReason(policy, '::1')).toBe('loopback')
    expect(getForbiddenReason(policy, '0.0.0.0')).toBe('unspecified address')
    expect(getForbiddenReason(policy, '169.254.169.254')).toBe('cloud metadata')
    expect(getForbiddenReason(policy, 'fd00:ec2::254')).toBe('cloud metadata')
    expect(getForbiddenReason(policy, '::ffff:169.254.169.254')).toBe('cloud metadata')
    expect(getForbiddenReason(policy, '64:ff9b::a9fe:a9fe')).toBe('NAT64 of cloud metadata')
    expect(getForbiddenReason(allowing('169.254.169.254'), '169.254.169.254')).toBeNull()
  })
})

describe('ranges', () => {
  // first and last address of each range, and the neighbours outside where those are public
  const edges: [string, string, string | null, string | null][] = [
    ['0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
    ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
    ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
    ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
    ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    ['224.0.0.0', '255.255.255.255', '223.255.255.255', null],
    ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, '2000::'],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
    ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff:ffff::', null],
  ]
  it.each(edges)('%s to %s', (first, last, before, after) => {
    expect(getForbiddenReason(closed, first)).toEqual(expect.any(String))
    expect(getForbiddenReason(closed, last)).toEqual(expect.any(String))
    for (const outside of [before, after]) if (outside) expect(getForbiddenReason(closed, outside)).toBeNull()
  })

  it.each([
    '',
    'x',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '010.0.0.1',
    '8.8.8.8 ',
    '[::1]',
    '2606::1%1',
    '8.8.8.8/32',
  ])('%j is not an address', text => {
    expect(getForbiddenReason(closed, text)).toBe('not a plain IP address')
  })
})

describe('loopback', () => {
  const open: GuardPolicy = { allowCidrs: [], allowLoopback: true, ownPorts: [8080, 443] }

  it.each([
    'http://127.0.0.1:3000/',
    'http://[::1]:3000/',
    'http://localhost:3000/',
    'http://a.localhost/',
    'http://2130706433/',
  ])('%s is allowed by the switch', url => {
    expect(checkUrl(open, url)).toMatchObject({ ok: true })
    expect(checkUrl(closed, url)).toMatchObject({ ok: false, code: 'forbidden_address' })
  })

  it.each([
    'http://127.0.0.1:8080/',
    'http://127.9.9.9:8080/',
    'http://0x7f.1:8080/',
    'http://[::1]:8080/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://localhost:8080/',
    'http://LOCALHOST.:8080/',
    'http://x.localhost:8080/',
    'https://localhost/',
    'https://127.0.0.1/',
    'http://0.0.0.0:8080/',
    'http://[::]:8080/',
  ])('%s is our own port and stays closed', url => {
    const checked = checkUrl(open, url)
    expect(checked).toMatchObject({ ok: false, message: expect.stringContaining('a port of this service') })
  })

  it('and every other address of this machine are closed for our own ports', () => {
    const all: GuardPolicy = { ...open, allowCidrs: ['0.0.0.0/0', '::/0'] }
    const own = Object.values(networkInterfaces()).flatMap(list => list ?? [])
    expect(own.length).toBeGreaterThan(0)
    for (const { address } of own) {
      expect(getForbiddenReason(all, address.split('%')[0]!, 8080)).toBe('a port of this service')
      expect(getForbiddenReason(all, address.split('%')[0]!, 8081)).toBeNull()
    }
  })

  it('0.0.0.0 and :: are not opened by the switch', () => {
    expect(getForbiddenReason(open, '0.0.0.0')).toBe('unspecified address')
    expect(getForbiddenReason(open, '::')).toBe('unspecified address')
  })
})
