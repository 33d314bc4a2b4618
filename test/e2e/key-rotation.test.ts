/** Tests that stored secrets are re-encrypted with a new installation key, and that a wrong key is noticed. */
import { createCipheriv, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sealed } from '../../src/app.ts'
import { ConfigError } from '../../src/platform/config.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { createKeys } from '../../src/platform/encryption/keys.ts'
import { assertDecryptable, resealColumn } from '../../src/platform/encryption/sealed-columns.ts'
import { decryptKey } from '../../src/webhooks/signing-keys.ts'
import { testApi } from '../harness/api.ts'

const api = await testApi()
const { db, keys } = api.deps
const oldSecret = 'a secret of tests, and of nothing else'
const newSecret = 'the next secret of these tests, longer'
const rotated = createKeys(newSecret, [oldSecret])
const target = sealed.find(({ table }) => table === 'webhook_keys')!
const reseal = async () => {
  let count = 0
  for (const column of sealed) count += await resealColumn(db, rotated, column)
  return count
}

async function createSigningKey() {
  const { owner, tenantId } = await api.workspace()
  const { plaintextKey } = (await owner.get('/webhooks/signing-keys')).body.keys[0]
  const read = async () =>
    (await db.one<{ sealed: Buffer }>(sql`select sealed from webhook_keys where tenant_id = ${tenantId}`))
      .sealed
  return { tenantId, plaintextKey: plaintextKey as string, read }
}

/** Encrypts as the first format did, which has no key id. */
function sealInFirstFormat(plain: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keys.current(target.purpose), nonce)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.from([1]), nonce, cipher.getAuthTag(), body])
}

test('reseal encrypts every value with the new key, once, and can be repeated after an interruption', async () => {
  const [first, second, third] = [
    await createSigningKey(),
    await createSigningKey(),
    await createSigningKey(),
  ]
  const early = sealInFirstFormat(second.plaintextKey)
  await db.run(sql`update webhook_keys set sealed = ${early} where tenant_id = ${second.tenantId}`)
  // As if an earlier run had stopped after this value.
  const done = rotated.encrypt(target.purpose, third.plaintextKey)
  await db.run(sql`update webhook_keys set sealed = ${done} where tenant_id = ${third.tenantId}`)
  await assertDecryptable(db, rotated, sealed)
  expect(await reseal()).toBeGreaterThanOrEqual(2)
  const onlyNew = createKeys(newSecret)
  for (const { read, plaintextKey } of [first, second, third])
    expect(decryptKey(onlyNew, await read())).toBe(plaintextKey)
  expect(await third.read()).toEqual(done)
  expect(await reseal()).toBe(0)
  await assertDecryptable(db, onlyNew, sealed)
  const wrong = assertDecryptable(db, createKeys(oldSecret), sealed)
  await expect(wrong).rejects.toThrow(ConfigError)
  await expect(wrong).rejects.toThrow(/webhook_keys\.sealed.*OLD_SECRET_KEYS/)
})

test('a value of the first format with an unknown key is noticed', async () => {
  await reseal()
  const { tenantId, plaintextKey } = await createSigningKey()
  await db.run(
    sql`update webhook_keys set sealed = ${sealInFirstFormat(plaintextKey)} where tenant_id = ${tenantId}`,
  )
  await expect(assertDecryptable(db, createKeys(newSecret), sealed)).rejects.toThrow(ConfigError)
  expect(await reseal()).toBe(1)
})
