/** A new version takes over from the old one on the same database, side by side, without a request going wrong. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { checkout, eventually, fresh, queryOnce, scratch, start } from './program.ts'

const root = scratch()

/** This version with one migration more, as a release after it would have. */
function nextVersion(): string {
  const copy = fresh(root, 'next')
  mkdirSync(copy)
  // What the image is made of, so that this shows that it is enough.
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

test('old and new run side by side over a migration; no request fails, and the old one ends in order', async () => {
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
  let [serving, over, made] = [old.url, false, 0]
  const wrong: string[] = []
  const clients = Array.from({ length: 3 }, async (_, n) => {
    for (let k = 0; !over; k++) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ name: `contact ${n}.${k}` })
      const answer = await fetch(`${serving}/v1/contacts`, { method: 'POST', headers, body }).catch(String)
      if (typeof answer !== 'string' && answer.status === 201) made++
      else wrong.push(typeof answer === 'string' ? answer : `${answer.status} ${await answer.text()}`)
    }
  })
  expect(await eventually(() => made > 20)).toBe(true)
  const fresher = await start({ at: nextVersion(), dataDir: fresh(root, 'new'), env })
  await fresher.ready()
  expect(fresher.log().some(line => JSON.stringify(line).includes('_next.sql'))).toBe(true)
  const during = made
  expect(await eventually(() => made > during + 20)).toBe(true)
  // As a balancer does: new requests go to the new one, and the old one is told to end when nobody asks it any more.
  serving = fresher.url
  await sleep(500)
  expect(await old.stop()).toEqual({ code: 0, signal: null })
  const before = made
  expect(await eventually(() => made > before + 20)).toBe(true)
  over = true
  await Promise.all(clients)
  expect(wrong).toEqual([])
  const [{ n }] = (await queryOnce<{ n: number }>(
    server.connection,
    'select count(*)::int as n from contacts',
  )) as [{ n: number }]
  expect(n).toBe(made)
  expect(await fresher.stop()).toEqual({ code: 0, signal: null })
})
