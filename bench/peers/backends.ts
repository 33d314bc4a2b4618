/**
 * Creates and lists contacts over HTTP with a token, compared with API generators: Parse Server and PostGraphile, each
 * with a table of a name, a phone number and an address on the same database server. Parley also checks that the number
 * is unique, makes it searchable and emits an event for webhooks, sockets and journeys. CREATES sets the number of
 * contacts. Install the others with `npm install --prefix bench/peers`.
 */

import { report } from '../support/environment.ts'
import type { Backend } from './backend.ts'
import { put } from './loads.ts'
import { startParley } from './parley.ts'
import { startParse } from './parse.ts'
import { installed } from './peer.ts'
import { startPostGraphile } from './postgraphile.ts'
import { openServer, type Server } from './server.ts'

const creates = Number(process.env.CREATES ?? 3_000)
const connections = 32

interface Rates {
  create: number
  list: number
}

async function startUs(server: Server): Promise<Backend> {
  const { url, headers, stop } = await startParley(server)
  const body = JSON.stringify({
    name: 'Person {n}',
    phone: '+1415{7}',
    customFields: { cf_email: 'p{n}@example.com' },
  })
  return {
    url,
    headers,
    create: { method: 'POST', path: '/v1/contacts', body },
    list: { method: 'GET', path: '/v1/contacts?pageSize=50' },
    stop,
  }
}

/** Number of rows of each when the newest 50 are listed. */
async function measure({ url, headers, create, list, stop }: Backend): Promise<Rates> {
  const load = { url, headers, connections }
  const warm = Math.ceil(creates / 5)
  await put({ ...load, ...create, from: 0, count: warm })
  const created = await put({ ...load, ...create, from: warm, count: creates })
  await put({ ...load, ...list, from: 0, seconds: 2 })
  const listed = await put({ ...load, ...list, from: 0, seconds: 5 })
  await stop()
  return { create: created.rate, list: listed.rate }
}

const peers = [
  { name: 'Parse Server', version: installed('parse-server'), start: startParse },
  { name: 'PostGraphile', version: installed('postgraphile'), start: startPostGraphile },
].filter(peer => peer.version)
if (peers.length === 0) process.exit()
const server = await openServer()
try {
  const ours = await measure(await startUs(server))
  for (const { name, version, start } of peers) {
    const theirs = await measure(await start(server))
    for (const what of ['create', 'list'] as const)
      report({
        name: `contacts: ${what}, against ${name} ${version}`,
        unit: 'requests/s',
        value: ours[what],
        limit: theirs[what],
        ratio: ours[what] / theirs[what],
        wanted: '>= 1',
      })
  }
} finally {
  await server.close()
}
