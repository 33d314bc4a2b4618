import ipaddr from 'ipaddr.js'

/**
 * Whom limits per address count as one: an IPv4 address, or the /64 that one IPv6 customer has at the least and can
 * pick addresses from as they like.
 */
export function toClientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`
}
