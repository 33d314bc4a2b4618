/** Starts Parse Server on PostgreSQL, with a class of contacts and a logged-in user. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Backend } from './backend.ts'
import { freePort, startPeer } from './peer.ts'
import { type Server, toUrl } from './server.ts'

const application = { 'x-parse-application-id': 'bench', 'content-type': 'application/json' }

export async function startParse(server: Server): Promise<Backend> {
  const [database, port] = [await server.database('parse'), await freePort()]
  const [url, dir] = [`http://127.0.0.1:${port}`, path.join(server.dir, 'parse')]
  const file = path.join(dir, 'config.json')
  mkdirSync(dir)
  writeFileSync(
    file,
    JSON.stringify({
      appId: 'bench',
      masterKey: 'a key of the benchmark',
      serverURL: `${url}/parse`,
      host: '127.0.0.1',
      port,
      mountPath: '/parse',
      databaseURI: toUrl(database).replace(/\?.*/, ''),
      // Repeated here because Parse Server ignores a socket directory in the URL.
      databaseOptions: { host: database.host, port: database.port, poolSize: 20 },
      allowClientClassCreation: false,
      logLevel: 'error',
      silent: true,
    }),
  )
  const env = { PARSE_SERVER_LOGS_FOLDER: path.join(dir, 'logs') }
  const program = { file: 'parse-server/bin/parse-server', args: [file], env, dir }
  const stop = await startPeer(program, async () => (await fetch(`${url}/parse/health`)).ok)
  const ask = async (at: string, headers: Record<string, string>, body: object) => {
    const sent = { method: 'POST', headers: { ...application, ...headers }, body: JSON.stringify(body) }
    const answer = await fetch(`${url}/parse${at}`, sent)
    if (!answer.ok) throw new Error(`Parse Server: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { sessionToken: string }
  }
  const text = { type: 'String' }
  const fields = { name: text, phone: text, email: text }
  const classLevelPermissions = Object.fromEntries(
    ['find', 'count', 'get', 'create', 'update', 'delete'].map(what => [
      what,
      { requiresAuthentication: true },
    ]),
  )
  const schema = { className: 'Contact', fields, classLevelPermissions }
  await ask('/schemas/Contact', { 'x-parse-master-key': 'a key of the benchmark' }, schema)
  const { sessionToken } = await ask(
    '/users',
    {},
    { username: 'owner', password: 'a password of the benchmark' },
  )
  const body = JSON.stringify({ name: 'Person {n}', phone: '+1415{7}', email: 'p{n}@example.com' })
  return {
    url,
    headers: { ...application, 'x-parse-session-token': sessionToken },
    create: { method: 'POST', path: '/parse/classes/Contact', body },
    list: { method: 'GET', path: '/parse/classes/Contact?limit=50&order=-createdAt' },
    stop,
  }
}
