// Names whose answers change between two questions, asked of a real name server on loopback.
import { createSocket } from 'node:dgram'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, isIPv4, connect as tcpConnect } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { newFolder, removeFolder } from '../../../test/harness/folders.ts'
import { within } from '../../../test/harness/wait.ts'
import { createOutbound } from './outbound.ts'
import { createLookup } from './resolver.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

type Zone = (name: string, type: 'A' | 'AAAA') => string[] | 'silence' | 'unknown'

/** Answers questions over UDP with a lifetime of 0; counts them. */
async function nameServer(zone: Zone) {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    questions.push(`${name} ${type}`)
    const found = zone(name, type)
    if (found === 'silence') return
    socket.send(
      writeAnswer(query.subarray(0, end), found === 'unknown' ? [] : found, found === 'unknown'),
      from.port,
    )
  })
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  cleanups.push(() => socket.close())
  return { questions, servers: [`127.0.0.1:${socket.address().port}`] }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += length + 1
  }
  const type = query.readUInt16BE(at + 1) === 1 ? ('A' as const) : ('AAAA' as const)
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

function writeAnswer(question: Buffer, addresses: string[], unknown: boolean): Buffer {
  const header = Buffer.from(question)
  header.writeUInt16BE(unknown ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt32BE(0, 8)
  const records = addresses.map(ip => {
    const data = isIPv4(ip) ? Buffer.from(ip.split('.').map(Number)) : ipv6Bytes(ip)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0) // the name of the question
    record.writeUInt16BE(isIPv4(ip) ? 1 : 28, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([header, ...records])
}

function ipv6Bytes(ip: string): Buffer {
  const [left = '', right = ''] = ip.split('::')
  const words = (part: string) => (part ? part.split(':').map(word => Number.parseInt(word, 16)) : [])
  const [head, tail] = [words(left), words(right)]
  const all = [...head, ...Array(8 - head.length - tail.length).fill(0), ...tail]
  return Buffer.from(all.flatMap(word => [word >> 8, word & 255]))
}

const publicIp = '93.184.216.34'

/** A client whose sockets to the public address end at a server here; every dialled address is recorded. */
async function setup(zone: Zone) {
  const server = createServer((_request, response) => void response.end('receiver')).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const dialled: string[] = []
  const dns = await nameServer(zone)
  const outbound = createOutbound({
    policy: { allowCidrs: [], allowLoopback: false, ownPorts: [] },
    lookup: createLookup({ servers: dns.servers }),
    connect: ({ address }) => {
      dialled.push(address)
      return tcpConnect(port, '127.0.0.1')
    },
  })
  cleanups.push(() => outbound.close({ graceMs: 0 }))
  const call = (url: string, timeoutMs = 3000) =>
    outbound.request({ method: 'POST', url, timeoutMs, connectTimeoutMs: timeoutMs, maxResponseBytes: 100 })
  return { call, dialled, questions: dns.questions, server }
}

describe('DNS rebinding', () => {
  it.each(['127.0.0.1', '169.254.169.254', '10.0.0.5', '0.0.0.0'])(
    'from a public address to %s does not get past the connect',
    async target => {
      let answers = 0
      const zone: Zone = (_name, type) => (type === 'AAAA' ? [] : [answers++ === 0 ? publicIp : target])
      const { call, dialled, questions, server } = await setup(zone)
      expect(await call('http://rebind.example/')).toMatchObject({ ok: true, status: 200 })
      // One question each, and the answer that was judged is the one that was dialled.
      expect(questions.sort()).toEqual(['rebind.example A', 'rebind.example AAAA'])
      expect(dialled).toEqual([publicIp])
      server.closeAllConnections()
      await new Promise(resolve => setTimeout(resolve, 20))
      for (let n = 0; n < 3; n += 1) {
        expect(await call('http://rebind.example/')).toMatchObject({ ok: false, code: 'forbidden_address' })
      }
      expect(dialled).toEqual([publicIp])
    },
  )

  it('in the IPv6 answer, in a list, and by turns never dials a forbidden address', async () => {
    const turns = { A: 0, AAAA: 0 }
    const zone: Zone = (name, type) => {
      turns[type] += 1
      if (name === 'six.example') return type === 'AAAA' ? ['fd00:ec2::254'] : []
      if (name === 'mapped.example') return type === 'AAAA' ? ['::ffff:7f00:1'] : []
      if (name === 'list.example') return type === 'A' ? ['127.0.0.1', publicIp, '10.0.0.1'] : ['::1']
      return type === 'A' ? [turns.A % 2 ? '192.168.0.1' : publicIp] : [turns.AAAA % 3 ? '::1' : 'fe80::1']
    }
    const { call, dialled, server } = await setup(zone)
    expect(await call('http://six.example/')).toMatchObject({ ok: false, code: 'forbidden_address' })
    expect(await call('http://mapped.example/')).toMatchObject({ ok: false, code: 'forbidden_address' })
    expect(await call('http://list.example/')).toMatchObject({ ok: true })
    const results: boolean[] = []
    for (let n = 0; n < 30; n += 1) {
      results.push((await call('http://turns.example/')).ok)
      server.closeAllConnections()
      await new Promise(resolve => setTimeout(resolve, 2))
    }
    expect(new Set(results)).toEqual(new Set([true, false]))
    expect(new Set(dialled)).toEqual(new Set([publicIp]))
  })
})

describe('names', () => {
  it('that do not exist, have no address, or get no answer end as dns_failed or timeout', async () => {
    const zone: Zone = name =>
      name === 'unknown.example' ? 'unknown' : name === 'silent.example' ? 'silence' : ([] as string[])
    const { call, dialled } = await setup(zone)
    expect(await call('http://unknown.example/')).toMatchObject({ ok: false, code: 'dns_failed' })
    expect(await call('http://empty.example/')).toMatchObject({ ok: false, code: 'dns_failed' })
    const silent = await call('http://silent.example/', 200)
    expect(silent).toMatchObject({ ok: false, code: 'timeout' })
    expect(silent.latencyMs).toBeLessThan(within(1500))
    expect(dialled).toEqual([])
  })

  it('with an IPv4 answer do not wait for an IPv6 answer that never comes', async () => {
    const { call, dialled } = await setup((_name, type) => (type === 'A' ? [publicIp] : 'silence'))
    const result = await call('http://half.example/')
    expect(result).toMatchObject({ ok: true })
    expect(result.latencyMs).toBeLessThan(within(1000))
    expect(dialled).toEqual([publicIp])
  })

  it('of the hosts file and localhost need no name server, and are judged like any other', async () => {
    const dns = await nameServer(() => 'unknown')
    const directory = await newFolder('hosts')
    cleanups.push(() => removeFolder(directory))
    const hostsFile = join(directory, 'hosts')
    await writeFile(
      hostsFile,
      '# 10.0.0.9 no.example\n10.0.0.7\tHook.Example alias.example # x\nfd00::7 hook.example\nbad hook.example\n',
    )
    const lookup = createLookup({ servers: dns.servers, hostsFile })
    expect(await lookup('hook.example')).toEqual(['10.0.0.7', 'fd00::7'])
    expect(await lookup('ALIAS.example.')).toEqual(['10.0.0.7'])
    expect(await lookup('api.localhost')).toEqual(['127.0.0.1', '::1'])
    expect(dns.questions).toEqual([])
    await expect(lookup('no.example')).rejects.toThrow()
    const outbound = createOutbound({
      policy: { allowCidrs: [], allowLoopback: false, ownPorts: [] },
      lookup,
    })
    const request = { method: 'GET', timeoutMs: 30_000, connectTimeoutMs: 30_000, maxResponseBytes: 100 }
    const result = await outbound.request({ ...request, url: 'http://hook.example/' })
    expect(result).toMatchObject({ ok: false, code: 'forbidden_address' })
    await outbound.close()
  })
})
