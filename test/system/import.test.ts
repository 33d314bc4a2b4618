/** Tests `parley import` against a running service, also when the service is killed during the import. */
import { createWriteStream, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fresh, parley, type Service, scratch, start } from './program.ts'

const root = scratch()
let dataDir: string
let env: { DATA_DIR: string }
let service: Service

beforeEach(async () => {
  dataDir = fresh(root, 'data')
  env = { DATA_DIR: dataDir }
  service = await start({ dataDir })
  await service.ready()
})
afterEach(() => service.stop())

const write = (name: string, text: string) => {
  const file = path.join(root, name)
  writeFileSync(file, text)
  return file
}

test('imports a file with the credentials of the first start, with text and JSON output', async () => {
  const file = write('people.csv', 'name,phone,note\nAda,+14155550100,x\nBob,nope,y\n')
  const refused = await parley(['import', file], env)
  expect(refused).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('the file, note: is not a custom field'),
  })
  const dry = await parley(['import', file, '--dry-run', '--create-fields'], env)
  expect(dry).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('1 rows could be imported, 1 failed'),
  })
  const done = await parley(['import', file, '--create-fields', '--json'], env)
  expect(done).toMatchObject({ code: 2, stderr: '' })
  expect(JSON.parse(done.stdout)).toMatchObject({
    status: 'completed',
    successCount: 1,
    failedCount: 1,
    errors: [{ row: 2, column: 'phone' }],
  })
  const { totalSize } = (await (await service.call('GET', '/contacts/count')).json()) as { totalSize: number }
  expect(totalSize).toBe(1)
})

test('explains a failure in one line', async () => {
  const file = write('one.csv', 'name\nA\n')
  const { url } = service
  for (const [args, message] of [
    [[path.join(root, 'missing.csv')], /missing\.csv cannot be read \(ENOENT\)/],
    [[file, '--key', 'pk_wrong', '--url', url], /token is invalid.*\(401\)/],
    [[file, '--key', 'pk_wrong', '--url', 'http://127.0.0.1:1'], /cannot be reached: ECONNREFUSED/],
    [[file, '--dryrun'], /unknown option --dryrun/],
  ] as const) {
    const { code, stdout, stderr } = await parley(['import', ...args], env)
    expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' })
    expect(stderr.split('\n')[0]).toMatch(message)
  }
  const lost = await parley(['import', file], { DATA_DIR: path.join(root, 'nowhere') })
  expect(lost).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^parley: no credentials found in /),
  })
})

test('continues after the service is killed and restarted', async () => {
  const rows = 30_000
  const file = path.join(root, 'many.csv')
  const lines = Array.from({ length: rows }, (_, i) => `P${i},+1415${3_000_000 + i}\n`)
  await pipeline(Readable.from(['name,phone\n', ...lines]), createWriteStream(file))
  const importing = parley(['import', file, '--json'], env)
  const count = async () => {
    const response = await service.call('GET', '/contacts/count').catch(() => undefined)
    return response?.ok ? ((await response.json()) as { totalSize: number }).totalSize : 0
  }
  while ((await count()) < 2_000) await sleep(20)
  const port = Number(new URL(service.url).port)
  await service.kill()
  service = await start({ dataDir, port })
  await service.ready()
  const { code, stdout, stderr } = await importing
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'completed',
    totalRows: rows,
    successCount: rows,
    errors: [],
  })
  expect(await count()).toBe(rows)
})
