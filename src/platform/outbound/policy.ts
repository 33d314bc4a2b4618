// Which addresses users may make us call. Public ones; private ones by an explicit list of the operator; loopback
// by a switch of its own, because a list must never open it by accident; our own ports never.
import ipaddr from 'ipaddr.js'
import {
  type Address,
  canonicalAddress,
  isNat64,
  isOwnAddress,
  isWithin,
  localReason,
  metadataReason,
  publicReason,
} from './addresses.ts'

export interface GuardPolicy {
  /** Networks that may be called although they are not public, such as `10.0.0.0/8` or `192.168.1.5`. */
  allowCidrs: string[]
  /** Whether 127.0.0.0/8, ::1 and `localhost` may be called. */
  allowLoopback: boolean
  /** Ports this service listens on: never reachable on loopback or on an address of this machine. */
  ownPorts: number[]
}

export interface PolicySettings {
  /** Addresses and networks, as a list or separated by commas or spaces. */
  allow?: string | string[]
  allowLoopback?: boolean
  ownPorts?: number[]
}

/** Reads the operator's settings; throws an error that names the first entry it cannot accept. */
export function parsePolicy(settings: PolicySettings): GuardPolicy {
  const given = typeof settings.allow === 'string' ? settings.allow.split(/[\s,]+/) : (settings.allow ?? [])
  const entries = given.filter(entry => entry !== '')
  const policy = {
    allowCidrs: entries,
    allowLoopback: settings.allowLoopback ?? false,
    ownPorts: settings.ownPorts ?? [],
  }
  checkPolicy(policy)
  return policy
}

/** Throws when the policy has an entry that is not a network. */
export function checkPolicy(policy: GuardPolicy): void {
  for (const entry of policy.allowCidrs) parseEntry(entry)
}

/** Why this address must not be called, or null when it may be. Without a port our own ports are not looked at. */
export function isForbidden(policy: GuardPolicy, ip: string, port?: number): string | null {
  const address = canonicalAddress(ip)
  if (!address) return 'not a plain IP address'
  const local = localReason(address)
  if (port !== undefined && policy.ownPorts.includes(port) && (local || isOwnAddress(address))) {
    return 'a port of this service'
  }
  if (local) return local === 'loopback' && policy.allowLoopback ? null : local
  const reason = publicReason(address)
  return reason && isListed(policy, address) ? null : reason
}

function isListed(policy: GuardPolicy, address: Address): boolean {
  // What stands behind a translator is not the network the operator listed.
  if (isNat64(address)) return false
  const listed = policy.allowCidrs.map(parseEntry).filter(entry => isWithin(address, entry))
  if (metadataReason(address)) return listed.some(([, bits]) => bits === widthOf(address))
  return listed.length > 0
}

function parseEntry(entry: string): [Address, number] {
  const fault = (why: string) => new Error(`"${entry}" cannot be allowed: ${why}`)
  const [, text = '', bits] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? []
  const address = canonicalAddress(text)
  if (!address) throw fault('write an IP address or a network such as 10.0.0.0/8')
  if (text.includes(':') && address.kind() === 'ipv4') throw fault('write an IPv4 address in its dotted form')
  const prefix = bits === undefined ? widthOf(address) : Number(bits)
  if (prefix > widthOf(address)) throw fault(`the prefix has more than ${widthOf(address)} bits`)
  const network = networkOf(address, prefix).toString()
  if (network !== address.toString())
    throw fault(`a network begins at its first address, ${network}/${prefix}`)
  if (localReason(address) && prefix >= 8) throw fault('loopback has a setting of its own')
  return [address, prefix]
}

const widthOf = (address: Address) => (address.kind() === 'ipv4' ? 32 : 128)

function networkOf(address: Address, prefix: number): Address {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, prefix - index * 8))
    return byte & (0xff << (8 - kept)) & 0xff
  })
  return ipaddr.fromByteArray(bytes)
}
