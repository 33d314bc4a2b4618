// Classifies IP addresses as public or as one of the kinds that the service must not call.
// IPv4 uses a list of non-public ranges; IPv6 allows 2000::/3 only, without its non-public ranges.
// IPv6 forms that embed an IPv4 address are classified by that address or refused.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [network: Address, bits: number, reason: string]

const range = (cidr: string, reason: string): Range => [...ipaddr.parseCIDR(cidr), reason]

const localRanges = [
  range('127.0.0.0/8', 'loopback'),
  range('::1/128', 'loopback'),
  range('0.0.0.0/8', 'unspecified address'),
  range('::/128', 'unspecified address'),
]

// These addresses return credentials to every client, so an allowed range that covers them does not allow them.
const metadataAddresses = [
  '169.254.169.254', // most clouds
  '169.254.169.253',
  '169.254.170.2', // container credentials
  '169.254.170.23',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16', // looks public, is the host
].map(address => ipaddr.parse(address).toString())

const nonPublicRanges = [
  range('10.0.0.0/8', 'private network'),
  range('172.16.0.0/12', 'private network'),
  range('192.168.0.0/16', 'private network'),
  range('100.64.0.0/10', 'carrier-grade NAT'),
  range('169.254.0.0/16', 'link-local'),
  range('192.0.0.0/24', 'protocol assignments'),
  range('192.0.2.0/24', 'documentation'),
  range('198.51.100.0/24', 'documentation'),
  range('203.0.113.0/24', 'documentation'),
  range('192.31.196.0/24', 'AS112'),
  range('192.175.48.0/24', 'AS112'),
  range('192.52.193.0/24', 'AMT relay'),
  range('192.88.99.0/24', '6to4 relay'),
  range('198.18.0.0/15', 'benchmarking'),
  range('224.0.0.0/4', 'multicast'),
  range('255.255.255.255/32', 'broadcast'),
  range('240.0.0.0/4', 'reserved'),
  range('fc00::/7', 'unique local'),
  range('fe80::/10', 'link-local'),
  range('fec0::/10', 'site-local'),
  range('ff00::/8', 'multicast'),
  range('64:ff9b:1::/48', 'local NAT64'),
  range('::ffff:0:0:0/96', 'IPv4-translated'),
  range('::/96', 'IPv4-compatible'),
  range('100::/64', 'discard'),
  range('5f00::/16', 'segment routing'),
  range('2001::/32', 'Teredo'),
  range('2001:2::/48', 'benchmarking'),
  range('2001:db8::/32', 'documentation'),
  range('2001::/23', 'protocol assignments'),
  range('2002::/16', '6to4'),
  range('3fff::/20', 'documentation'),
  range('2620:4f:8000::/48', 'AS112'),
]

const globalUnicast = range('2000::/3', 'global unicast')
const nat64Prefix = range('64:ff9b::/96', 'NAT64')

/** Returns the address, IPv4-mapped ones as IPv4; null for other texts, including addresses with a zone id. */
export function canonicalAddress(ip: string): Address | null {
  if (ip.includes('%')) return null
  const family = isIP(ip)
  if (family === 4) return ipaddr.IPv4.parse(ip)
  // The URL parser returns the canonical form; ipaddr.js would read ::10.0.0.1 as ::ffff:10.0.0.1.
  return family === 6 ? ipaddr.process(new URL(`http://[${ip}]`).hostname.slice(1, -1)) : null
}

export function isWithin(
  address: Address,
  [network, bits]: readonly [Address, number, ...unknown[]],
): boolean {
  return address.kind() === network.kind() && address.match([network, bits] as [ipaddr.IPv6, number])
}

const findReason = (ranges: Range[], address: Address) =>
  ranges.find(one => isWithin(address, one))?.[2] ?? null

/** Returns why the address is this machine, or null. */
export const getLocalReason = (address: Address): string | null => findReason(localRanges, address)

export function getMetadataReason(address: Address): string | null {
  return metadataAddresses.includes(address.toString()) ? 'cloud metadata' : null
}

export function getNonPublicReason(address: Address): string | null {
  if (isNat64(address)) return getNat64Reason(address)
  const reason = getLocalReason(address) ?? getMetadataReason(address) ?? findReason(nonPublicRanges, address)
  if (reason || address.kind() === 'ipv4') return reason
  return isWithin(address, globalUnicast) ? null : 'not global unicast'
}

export const isNat64 = (address: Address): boolean => isWithin(address, nat64Prefix)

// Networks without IPv4 reach IPv4 hosts through this prefix, so the embedded address decides.
function getNat64Reason(address: Address): string | null {
  const embeddedReason = getNonPublicReason(new ipaddr.IPv4(address.toByteArray().slice(12)))
  return embeddedReason && `NAT64 of ${embeddedReason}`
}

/** Reports whether a network interface of this machine has the address. */
export function isOwnAddress(address: Address): boolean {
  const own = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  return own.some(
    ({ address: ip }) => canonicalAddress(ip.split('%')[0] ?? '')?.toString() === address.toString(),
  )
}
