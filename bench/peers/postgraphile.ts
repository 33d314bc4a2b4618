/** Starts PostGraphile on a table of contacts, with a signed token on every request. */
import path from 'node:path'
import { SignJWT } from 'jose'
import type { Backend } from './backend.ts'
import { freePort, startPeer } from './peer.ts'
import { ask, type Server, toUrl } from './server.ts'

const table = `
  create table contacts (id int generated always as identity primary key, name text, phone text, email text,
    created_at timestamptz not null default now());
  alter table contacts enable row level security;
  alter table contacts force row level security;
  create policy known on contacts using (current_setting('jwt.claims.user_id', true) <> '')`

export async function startPostGraphile(server: Server): Promise<Backend> {
  const [database, port] = [await server.database('postgraphile'), await freePort()]
  await ask(database, table)
  const secret = 'a secret of the benchmark, of forty letters'
  const token = await new SignJWT({ user_id: 'owner' })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('postgraphile')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
  const args = ['-c', toUrl(database), '-s', 'public', '-n', '127.0.0.1', '-p', String(port)]
  const quick = ['--disable-query-log', '--disable-graphiql', '--no-ignore-rbac', '-q', '/graphql']
  const dir = path.join(server.dir, 'postgraphile')
  const url = `http://127.0.0.1:${port}`
  const program = {
    file: 'postgraphile/cli.js',
    args: [...args, ...quick, '--jwt-secret', secret, '--max-pool-size', '20'],
    env: {},
    dir,
  }
  const graphql = (query: string, variables: object) => ({
    method: 'POST' as const,
    path: '/graphql',
    body: JSON.stringify({ query, variables }),
  })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const shown = 'id name phone email createdAt'
  const list = graphql(`query { allContacts(first: 50, orderBy: ID_DESC) { nodes { ${shown} } } }`, {})
  const stop = await startPeer(program, async () => {
    const answer = await fetch(url + list.path, { method: 'POST', headers, body: list.body })
    return answer.ok
  })
  const mutation = `mutation ($contact: ContactInput!) { createContact(input: { contact: $contact }) { contact { ${shown} } } }`
  const contact = { name: 'Person {n}', phone: '+1415{7}', email: 'p{n}@example.com' }
  return { url, headers, create: graphql(mutation, { contact }), list, stop }
}
