/** Tests an upgrade: the new version runs beside the old one on the same database, and no request fails. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { checkout, eventually, fresh, queryOnce, scratch, start } from './program.ts'

const root = scratch()

/** Copies this version and adds one migration, as the next release would. */
function createNextVersion(): string {
  const copy = fresh(root, 'next')
  mkdirSync(copy)
  // Copies only the files of the image, which proves that they suffice.
  const image = readFileSync(path.join(checkout, 'deploy/Dockerfile'), 'utf8')
  const parts = [...image.matchAll(/^COPY (?!--)(.*) \S+$/gm)].flatMap(match => match[1]!.split(' '))
  for (const part of parts)
    cpSync(path.join(checkout, part), path.join(copy, part), { recursive: true, preserveTimestamps: true })
  symlinkSync(path.join(checkout, 'node_modules'), path.join(copy, 'node_modules'))
  const numbers = readdirSync(path.join(copy, 'migrations')).map(name => Number(name.slice(0, 4)))
  const next = String(Math.max(...numbers) + 1).padStart(4, '0')
  writeFileSync(
    path.join(copy, 'migrations', `${next}_next.sql`),
    'alter table contacts add column pronouns text;\ncreate index contacts_pronouns on contacts (tenant_id, pronouns) where pronouns is not null;\n',
  )
  return copy
}

test('old and new version run side by side across a migration; no request fails, and the old one stops with code 0', async () => {
  const server = await startEmbedded({ dataDir: fresh(root, 'database') })
  onTestFinished(() => server.stop())
  const env = {
    DATABASE_URL: `postgres:///parley?host=${encodeURIComponent(server.connection.host)}&user=parley`,
    SECRET_KEY: 'a secret of tests, and of nothing else',
    SANDBOX: 'off',
  }
  const old = await start({ dataDir: fresh(root, 'old'), env })
  await old.ready()
  const key = old.credentials().apiKey
  let [baseUrl, stopped, created] = [old.url, false, 0]
  const failures: string[] = []
  const clients = Array.from({ length: 3 }, async (_, n) => {
    for (let k = 0; !stopped; k++) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ name: `contact ${n}.${k}` })
      const response = await fetch(`${baseUrl}/v1/contacts`, { method: 'POST', headers, body }).catch(String)
      if (typeof response !== 'string' && response.status === 201) created++
      else
        failures.push(typeof response === 'string' ? response : `${response.status} ${await response.text()}`)
    }
  })
  expect(await eventually(() => created > 20)).toBe(true)
  const next = await start({ at: createNextVersion(), dataDir: fresh(root, 'new'), env })
  await next.ready()
  expect(next.log().some(line => JSON.stringify(line).includes('_next.sql'))).toBe(true)
  const during = created
  expect(await eventually(() => created > during + 20)).toBe(true)
  // Like a load balancer: routes new requests to the new version, then stops the old one.
  baseUrl = next.url
  await sleep(500)
  expect(await old.stop()).toEqual({ code: 0, signal: null })
  const before = created
  expect(await eventually(() => created > before + 20)).toBe(true)
  stopped = true
  await Promise.all(clients)
  expect(failures).toEqual([])
  const [{ n }] = (await queryOnce<{ n: number }>(
    server.connection,
    'select count(*)::int as n from contacts',
  )) as [{ n: number }]
  expect(n).toBe(created)
  expect(await next.stop()).toEqual({ code: 0, signal: null })
})
