// The SSRF policy. Public addresses are allowed; private ones by the operator's list; loopback by its own setting, so
// that a list never allows it by accident; the ports of this service never.
import ipaddr from 'ipaddr.js'
import {
  type Address,
  canonicalAddress,
  getLocalReason,
  getMetadataReason,
  getNonPublicReason,
  isNat64,
  isOwnAddress,
  isWithin,
} from './addresses.ts'

export interface GuardPolicy {
  /** Allowed networks that are not public, such as `10.0.0.0/8` or `192.168.1.5`. */
  allowCidrs: string[]
  /** Allows 127.0.0.0/8, ::1 and `localhost`. */
  allowLoopback: boolean
  /** Ports this service listens on: never reachable on loopback or on an address of this machine. */
  ownPorts: number[]
}

/** Throws if an entry is not a network. */
export function checkPolicy(policy: GuardPolicy): void {
  for (const entry of policy.allowCidrs) parseEntry(entry)
}

/** Returns why the address is forbidden, or null. Own ports are checked only if a port is given. */
export function getForbiddenReason(policy: GuardPolicy, ip: string, port?: number): string | null {
  const address = canonicalAddress(ip)
  if (!address) return 'not a plain IP address'
  const local = getLocalReason(address)
  if (port !== undefined && policy.ownPorts.includes(port) && (local || isOwnAddress(address))) {
    return 'a port of this service'
  }
  if (local) return local === 'loopback' && policy.allowLoopback ? null : local
  const reason = getNonPublicReason(address)
  return reason && isListed(policy, address) ? null : reason
}

function isListed(policy: GuardPolicy, address: Address): boolean {
  // Hosts behind a translator are not in the network that the operator listed.
  if (isNat64(address)) return false
  const listed = policy.allowCidrs.map(parseEntry).filter(entry => isWithin(address, entry))
  if (getMetadataReason(address)) return listed.some(([, bits]) => bits === getBitWidth(address))
  return listed.length > 0
}

function parseEntry(entry: string): [Address, number] {
  const buildError = (reason: string) => new Error(`"${entry}" cannot be allowed: ${reason}`)
  const [, text = '', bits] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? []
  const address = canonicalAddress(text)
  if (!address) throw buildError('write an IP address or a network such as 10.0.0.0/8')
  if (text.includes(':') && address.kind() === 'ipv4')
    throw buildError('write an IPv4 address in its dotted form')
  const prefixBits = bits === undefined ? getBitWidth(address) : Number(bits)
  if (prefixBits > getBitWidth(address))
    throw buildError(`the prefix has more than ${getBitWidth(address)} bits`)
  const network = toNetworkAddress(address, prefixBits).toString()
  if (network !== address.toString())
    throw buildError(`a network begins at its first address, ${network}/${prefixBits}`)
  if (getLocalReason(address) && prefixBits >= 8) throw buildError('loopback has a setting of its own')
  return [address, prefixBits]
}

const getBitWidth = (address: Address) => (address.kind() === 'ipv4' ? 32 : 128)

function toNetworkAddress(address: Address, prefix: number): Address {
  const bytes = address.toByteArray().map((byte, index) => {
    const bits = Math.min(8, Math.max(0, prefix - index * 8))
    return byte & (0xff << (8 - bits)) & 0xff
  })
  return ipaddr.fromByteArray(bytes)
}
