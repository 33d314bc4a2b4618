/** Tests that the service refuses to start with a missing or wrong key, and the rotation of the key with the CLI. */
import { existsSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fresh, parley, scratch, start } from './program.ts'

const root = scratch()
const oneLine = (text: RegExp) =>
  expect.stringMatching(new RegExp(`^parley: [^\\n]*${text.source}[^\\n]*\\n$`))

test('a missing or wrong key refuses to start with one line; a rotation makes the old key worthless', async () => {
  const dataDir = fresh(root, 'data')
  const env = { DATA_DIR: dataDir }
  const first = await start({ dataDir })
  await first.ready()
  const created = await parley(
    ['workspace', 'create', '--name', 'A', '--email', 'a@b.example', '--json'],
    env,
  )
  const { tenantId } = JSON.parse(created.stdout) as { tenantId: string }
  const made = await parley(['key', 'create', '--tenant', tenantId, '--name', 'K', '--json'], env)
  const { key } = JSON.parse(made.stdout) as { key: string }
  const headers = { authorization: `Bearer ${key}` }
  expect((await fetch(`${first.url}/v1/webhooks/signing-keys`, { headers })).status).toBe(200)
  await first.stop()

  const file = path.join(dataDir, 'secret.key')
  const oldSecret = readFileSync(file, 'utf8').trim()
  renameSync(file, `${file}.away`)
  const refuse = async (more: Record<string, string>, text: RegExp) => {
    const service = await start({ dataDir, env: more })
    expect(await service.ended).toMatchObject({ code: 1 })
    expect(service.errors()).toEqual(oneLine(text))
  }
  await refuse({}, /secret\.key is missing/)
  expect(existsSync(file)).toBe(false)
  const newSecret = 'a new secret of thirty-two characters!'
  await refuse({ SECRET_KEY: newSecret }, /does not decrypt \(\w+\.\w+\).*OLD_SECRET_KEYS/)

  const rotated = { SECRET_KEY: newSecret, OLD_SECRET_KEYS: oldSecret }
  const resealed = await parley(['keys', 'reseal', '--json'], { ...env, ...rotated })
  expect(JSON.parse(resealed.stdout)).toMatchObject({ 'webhook_keys.sealed': 1 })
  const after = await start({ dataDir, env: { SECRET_KEY: newSecret } })
  await after.ready()
  expect((await fetch(`${after.url}/v1/webhooks/signing-keys`, { headers })).status).toBe(200)
  await after.stop()
})
