/** Limits on guessing passwords, and their effect on users who know their password. */
import { describe, expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { movableClock } from '../../../test/harness/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import { toClientNetwork } from '../../platform/http/rate-limit.ts'
import { takeToken } from '../../platform/limits/stored-buckets.ts'
import { createTestUser, logIn, logInFrom, password } from '../testing/users.ts'
import { filterAllowedAccounts, takeAttempt } from './login-throttle.ts'
import { hashPassword } from './passwords.ts'

const api = await testApi()
const other = await api.another()
const { db, clock } = api.deps
const servers = [api, other]
const hour = 3_600_000

let next = 1
/** An address nobody has used yet. */
const address = () => `127.${50 + (next >> 16)}.${(next >> 8) & 255}.${next++ & 255}`
const newEmail = async () => (await createTestUser(api, (await api.workspace()).tenantId)).email

/** Sends concurrent wrong logins to both servers and counts those that were tried and those that were refused. */
async function storm(count: number, from: (i: number) => string, whom: (i: number) => string) {
  const began = performance.now()
  const answers = await Promise.all(
    Array.from({ length: count }, (_, i) => logInFrom(from(i), servers[i % 2]!, whom(i), `wrong guess ${i}`)),
  )
  const of = (status: number) => answers.filter(answer => answer.status === status)
  expect(of(401).length + of(429).length).toBe(count)
  return { tried: of(401).length, refused: of(429), seconds: (performance.now() - began) / 1000 }
}

/** Expects the burst of the bucket, plus the tokens that came back while a slow machine made the attempts. */
function expectTried(storm: { tried: number; seconds: number }, held: number, perMinute: number): void {
  expect(storm.tried).toBeGreaterThanOrEqual(held)
  expect(storm.tried).toBeLessThanOrEqual(held + 1 + (storm.seconds / 60) * perMinute)
}

describe('wrong logins', () => {
  test('429 after ten at one account from one address, one a minute from then on', async () => {
    const [email, here] = [await newEmail(), address()]
    const first = await storm(
      60,
      () => here,
      () => email,
    )
    expect(first.tried).toBe(10)
    expect(first.refused[0]).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(first.refused[0]!.headers.get('retry-after')).toBe('60')
    clock.advance(30_000)
    expect((await logInFrom(here, api, email)).status).toBe(429)
    // Being refused does not start the waiting again.
    clock.advance(31_000)
    const second = await storm(
      5,
      () => here,
      () => email,
    )
    expect(second.tried).toBe(1)
  })

  test('429 after fifty at one account from everywhere; 180 an hour: ten thousand take two days', async () => {
    const email = await newEmail()
    const places = Array.from({ length: 40 }, address)
    const ask = () =>
      storm(
        120,
        i => places[i % 40]!,
        () => email,
      )
    expectTried(await ask(), 50, 3)
    clock.advance(hour / 12)
    expectTried(await ask(), 15, 3)
  })

  test('429 after a hundred from one address at everybody; 600 an hour; what is refused leaves no trace', async () => {
    const here = address()
    let n = 0
    // Without the hashing, which is not what is counted here.
    const ask = async (count: number) => {
      const began = performance.now()
      const tries = await Promise.allSettled(
        Array.from({ length: count }, (_, i) =>
          takeAttempt(
            servers[i % 2]!.deps,
            { email: `nobody${n++}@example.com`, address: here, password: '' },
            [],
          ),
        ),
      )
      const tried = tries.filter(one => one.status === 'fulfilled').length
      return { tried, seconds: (performance.now() - began) / 1000 }
    }
    expectTried(await ask(130), 100, 10)
    const rows = () => db.one<{ n: number }>(sql`select count(*) as n from token_buckets`)
    const before = await rows()
    const { tried } = await ask(50)
    expect((await rows()).n).toBeLessThanOrEqual(before.n + tried)
    clock.advance(60_000)
    expectTried(await ask(30), 10, 10)
  })
})

/** Uses up the attempts of all networks at one account, without hashing passwords. */
async function useUpTries(email: string): Promise<void> {
  for (;;) {
    const attempt = { email, address: address(), password: '' }
    const refused = await filterAllowedAccounts(api.deps, attempt, []).then(
      () => false,
      () => true,
    )
    if (refused) return
  }
}

// From here on nobody moves the clock, so these may run side by side.
describe.concurrent('meanwhile', () => {
  test('an unknown address is limited like a known one', async () => {
    const here = address()
    const { tried } = await storm(
      30,
      () => here,
      () => 'nobody-at-all@example.com',
    )
    expect(tried).toBe(10)
  })

  test('a different spelling of the address is the same account', async () => {
    const [email, here] = [await newEmail(), address()]
    const { tried } = await storm(
      30,
      () => here,
      i => (i % 3 ? email.toUpperCase() : email),
    )
    expect(tried).toBe(10)
  })

  test('429 for the right password from where the guessing came from, 200 from elsewhere', async () => {
    const [email, colleague] = [await newEmail(), await newEmail()]
    const [attacker, home] = [address(), address()]
    for (let round = 0; round < 2; round++) {
      // More than the tries at the account, were they counted.
      await storm(
        120,
        () => attacker,
        () => email,
      )
      expect((await logInFrom(attacker, other, email)).status).toBe(429)
      expect((await logInFrom(home, api, email)).status).toBe(200)
    }
    // Nor does being refused count against the others there.
    expect((await logInFrom(attacker, api, colleague)).status).toBe(200)
  })

  test('strangers from everywhere use up the tries: only who was known is heard, about their own account', async () => {
    const [email, home, base] = [await newEmail(), address(), address()]
    expect((await logInFrom(home, api, email)).status).toBe(200)
    // An attacker has an account with the same address in another workspace.
    const own = 'the attackers own password'
    const attackers = await api.workspace()
    await createTestUser(api, attackers.tenantId, { email, passwordHash: await hashPassword(own) })
    expect((await logInFrom(base, api, email, own)).status).toBe(200)
    await useUpTries(email)
    expect((await logInFrom(address(), api, email)).status).toBe(429)
    expect((await logInFrom(home, other, email)).status).toBe(200)
    expect((await logInFrom(base, api, email, password)).status).toBe(401)
    expect((await logInFrom(base, api, email, own)).status).toBe(200)
    // Known or not, ten guesses is all one network has.
    const { tried } = await storm(
      30,
      () => home,
      () => email,
    )
    expect(tried).toBe(10)
  })

  test('200 behind the proxy of an attacker, who used up its attempts, for accounts that logged in there before', async () => {
    const [email, stranger, proxy] = [await newEmail(), await newEmail(), address()]
    expect((await logInFrom(proxy, api, email)).status).toBe(200)
    for (let n = 0; ; n++) {
      const guess = { email: `nobody${n}@example.com`, address: proxy, password: '' }
      if ((await takeAttempt(api.deps, guess, []).catch(() => 'refused')) === 'refused') break
    }
    expect((await logInFrom(proxy, other, email)).status).toBe(200)
    expect((await logInFrom(proxy, api, stranger)).status).toBe(429)
    // Such an account has no more guesses than others.
    const { tried } = await storm(
      30,
      () => proxy,
      () => email,
    )
    expect(tried).toBe(10)
  })

  test('200 as often as they like: success costs nothing', async () => {
    const [email, home] = [await newEmail(), address()]
    for (let i = 0; i < 12; i++) expect((await logInFrom(home, servers[i % 2]!, email)).status).toBe(200)
  })
})

describe('a bucket', () => {
  let buckets = 0
  test('gives no more when processes disagree about the time', async () => {
    const bucket = { key: `a bucket of its own ${++buckets}`, burst: 2, perSecond: 1 / 60 }
    const behind = { ...db, clock: movableClock() }
    behind.clock.advance(clock.offsetMs() - 600_000)
    let taken = 0
    for (let i = 0; i < 60; i++) if (await takeToken(i % 2 ? behind : db, bucket.key, bucket)) taken++
    expect(taken).toBe(2)
  })
})

describe('networkOf', () => {
  test('an IPv4 address is itself, however it is written; IPv6 counts by /64', () => {
    expect(toClientNetwork('192.0.2.7')).toBe('192.0.2.7')
    expect(toClientNetwork('::ffff:192.0.2.7')).toBe('192.0.2.7')
    expect(toClientNetwork('2001:db8:1:2:3:4:5:6')).toBe(toClientNetwork('2001:db8:1:2:ffff::1'))
    expect(toClientNetwork('2001:db8:1:3::1')).not.toBe(toClientNetwork('2001:db8:1:2::1'))
    expect(toClientNetwork('')).toBe('')
  })
})

describe('how long a refusal takes', () => {
  const took = async (email: string) => {
    const began = performance.now()
    expect((await logIn(api, email, 'not the password')).status).toBe(401)
    return performance.now() - began
  }
  /** How likely one of these is slower than one of those: about a half when they are equal. */
  const slower = (these: number[], those: number[]) =>
    these.flatMap(a => those.map(b => Number(a > b))).reduce((sum, one) => sum + one, 0) /
    (these.length * those.length)

  test('does not reveal whether the address exists', async () => {
    const each = Array.from({ length: 15 }, (_, i) => i)
    const withoutPassword = async () =>
      (await createTestUser(api, (await api.workspace()).tenantId, { passwordHash: null })).email
    const kinds = {
      stranger: each.map(i => `stranger${i}@example.com`),
      user: await Promise.all(each.map(newEmail)),
      outsider: await Promise.all(each.map(withoutPassword)),
    }
    // All kinds mixed, some at a time, so that whatever else the machine does meets them alike.
    const asked = each.flatMap(i => Object.values(kinds).map(emails => emails[i]!))
    const times = new Map<string, number>()
    for (let i = 0; i < asked.length; i += 15)
      await Promise.all(
        asked
          .slice(i, i + 15)
          .toSorted(() => Math.random() - 0.5)
          .map(async email => times.set(email, await took(email))),
      )
    const of = (emails: string[]) => emails.map(email => times.get(email)!)
    // All leave on the beat: the hash behind the answer, tens of milliseconds, does not show.
    for (const one of times.values()) expect(one).toBeGreaterThanOrEqual(998)
    // Chance alone leaves these bounds less than once in ten thousand runs.
    for (const emails of [kinds.user, kinds.outsider]) {
      expect(slower(of(emails), of(kinds.stranger))).toBeGreaterThan(0.05)
      expect(slower(of(emails), of(kinds.stranger))).toBeLessThan(0.95)
    }
  })
})
