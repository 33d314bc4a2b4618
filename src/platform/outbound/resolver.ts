// Resolves names. getaddrinfo blocks one of four shared threads for as long as a hostile name server likes, so names that
// users choose are resolved over DNS without threads; only names without a dot, which cannot be registered, use the
// system resolver. The hosts file is honoured. The addresses are not checked here.
import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLoopbackName } from './urls.ts'

/** Returns the addresses of a name, best first; throws or returns none if there are none. */
export type Lookup = (hostname: string) => Promise<string[]>

export interface ResolverOptions {
  /** Name servers as `address:port`; the system's unless given. */
  servers?: string[]
  hostsFile?: string
}

// How long to wait for IPv6 answers once IPv4 ones have arrived: some name servers drop AAAA queries.
const ipv6GraceMs = 100

export function createLookup(options: ResolverOptions = {}): Lookup {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (options.servers) resolver.setServers(options.servers)
  return async hostname => {
    if (isLoopbackName(hostname)) return ['127.0.0.1', '::1']
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const listed = await findInHostsFile(options.hostsFile ?? '/etc/hosts', name)
    if (listed.length > 0) return listed
    return name.includes('.') ? resolveWithDns(resolver, name) : resolveWithSystem(name)
  }
}

async function resolveWithDns(resolver: Resolver, name: string): Promise<string[]> {
  const v6 = resolver.resolve6(name).catch(() => [])
  let v4: string[] = []
  let error: unknown
  await resolver.resolve4(name).then(
    addresses => {
      v4 = addresses
    },
    reason => {
      error = reason
    },
  )
  const v6Addresses =
    v4.length > 0 ? await Promise.race([v6, sleep(ipv6GraceMs, [], { ref: false })]) : await v6
  if (v4.length === 0 && v6Addresses.length === 0) throw error
  return [...v4, ...v6Addresses]
}

async function resolveWithSystem(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true })
  return found.map(({ address }) => address)
}

async function findInHostsFile(path: string, name: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const rows = text.split('\n').map(line => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/))
  return rows.filter(row => row.includes(name, 1)).flatMap(([ip = '']) => (isIP(ip) ? [ip] : []))
}
