/** The forms of our secrets. */
import { describe, expect, test } from 'vitest'
import { movableClock } from '../../../test/harness/clock.ts'
import { createKeys } from '../../platform/encryption/keys.ts'
import { readTokenTenant } from '../../platform/http/locate.ts'
import { TenantId } from '../schemas.ts'
import { createAccessTokens, generateApiKey, generateSecretToken, isApiKey } from './tokens.ts'

const tenantId = TenantId.create()

describe('an API key', () => {
  test('has a public part, enough chance in it, and a checksum', () => {
    const keys = Array.from({ length: 300 }, () => generateApiKey(tenantId))
    for (const { key, keyPrefix } of keys) {
      const [, secret] = /^pk_[0-9A-Za-z]{8}_[0-9a-z]{26}_([0-9A-Za-z]{40})[0-9A-Za-z]{6}$/.exec(key)!
      expect(secret).toHaveLength(40)
      expect(key.startsWith(`${keyPrefix}_`)).toBe(true)
      expect(isApiKey(key)).toBe(true)
    }
    expect(new Set(keys.map(one => one.key)).size).toBe(300)
    // Every letter in every place: nothing is left out by rounding.
    const letters = new Set(keys.flatMap(one => [...one.key.slice(39, 79)]))
    expect(letters.size).toBe(62)
  })
  test('is refused with any letter changed or two swapped', () => {
    const { key } = generateApiKey(tenantId)
    for (let i = 3; i < key.length; i++) {
      const changed = key.slice(0, i) + (key[i] === 'x' ? 'y' : 'x') + key.slice(i + 1)
      expect(isApiKey(changed), changed).toBe(false)
      const swapped = key.slice(0, i - 1) + key[i] + key[i - 1] + key.slice(i + 1)
      if (swapped !== key) expect(isApiKey(swapped), swapped).toBe(false)
    }
  })
  test('of an earlier version is accepted, and names no workspace', () => {
    const key = 'pk_00000000_0000000000000000000000000000000000000000fKfDyM'
    expect(readTokenTenant(key)).toBeUndefined()
    expect(isApiKey(key)).toBe(true)
  })
  test('refresh and invitation tokens have 256 bits and name the workspace', () => {
    const { token } = generateSecretToken('rt', tenantId)
    expect(token).toMatch(/^rt_[0-9a-z]{26}_[0-9A-Za-z]{43}$/)
    expect(readTokenTenant(token)).toBe(tenantId)
    expect(readTokenTenant(generateApiKey(tenantId).key)).toBe(tenantId)
  })
})

describe('an access token', () => {
  const claims = { tenantId: 'tn_1', userId: 'usr_1', sessionId: 'lgn_1' }
  const clock = movableClock()
  const [old, young] = ['an old secret of thirty-two characters', 'a new secret of thirty-two characters!']
  test('is invalid after a change of the installation key: old keys only decrypt', async () => {
    const token = await createAccessTokens(createKeys(old), clock).issue(claims)
    expect(await createAccessTokens(createKeys(old), clock).verify(token)).toEqual(claims)
    expect(await createAccessTokens(createKeys(young, [old]), clock).verify(token)).toBeUndefined()
  })
  test('is invalid while it has more than 15 minutes left', async () => {
    const later = movableClock()
    later.advance(60_000)
    const token = await createAccessTokens(createKeys(young), later).issue(claims)
    expect(await createAccessTokens(createKeys(young), clock).verify(token)).toBeUndefined()
    expect(await createAccessTokens(createKeys(young), later).verify(token)).toEqual(claims)
  })
  test('is signed with the new one', async () => {
    const token = await createAccessTokens(createKeys(young, [old]), clock).issue(claims)
    expect(await createAccessTokens(createKeys(old), clock).verify(token)).toBeUndefined()
    expect(await createAccessTokens(createKeys(young), clock).verify(token)).toEqual(claims)
  })
})
