/** Revoked access ends immediately in the process that revoked it, and within a second in others. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Client, testApi, type Workspace } from '../../../test/harness/api.ts'
import { within } from '../../../test/harness/wait.ts'
import { inOneCell } from '../../platform/cells.ts'
import { callersChanged } from '../rights/reauthorize.ts'
import { TenantId } from '../schemas.ts'
import { createAuthenticator } from './authenticate.ts'
import { generateApiKey } from './tokens.ts'

const api = await testApi()
const other = await api.another()

/** Asks every few milliseconds until the answer is as wanted; gives when the last request began that was not. */
async function lastBefore(ask: () => Promise<boolean>): Promise<number> {
  const deadline = performance.now() + 5_000
  let last = 0
  for (;;) {
    const began = performance.now()
    if (await ask()) return last
    if (began > deadline) throw new Error('it never happened')
    last = began
    await sleep(5)
  }
}

interface Loss {
  what: string
  /** The caller that loses access, and the change that removes it. */
  arrange: (ws: Workspace) => Promise<{ victim: Client; take: () => Promise<unknown> }>
  status: number
  path: string
}

const losses: Loss[] = [
  {
    what: 'a revoked key',
    arrange: async ws => {
      const victim = await ws.key()
      const [key] = (await ws.owner.get(`/service-accounts/${victim.id}/api-keys`)).body.apiKeys
      return { victim, take: () => ws.owner.delete(`/api-keys/${key.id}`) }
    },
    status: 401,
    path: '/users',
  },
  {
    what: 'the key of a deleted account',
    arrange: async ws => {
      const victim = await ws.key()
      return { victim, take: () => ws.owner.delete(`/service-accounts/${victim.id}`) }
    },
    status: 401,
    path: '/users',
  },
  {
    what: 'a disabled user',
    arrange: async ws => {
      const victim = await ws.user('admin')
      return { victim, take: () => ws.owner.patch(`/users/${victim.id}`, { disabled: true }) }
    },
    status: 401,
    path: '/users',
  },
  {
    what: 'a demoted admin',
    arrange: async ws => {
      const victim = await ws.user('admin')
      return { victim, take: () => ws.owner.put(`/users/${victim.id}/role`, { role: 'agent' }) }
    },
    status: 403,
    path: '/audit-log',
  },
  {
    what: 'a login that logged out',
    arrange: async ws => {
      const victim = await ws.user('agent')
      return { victim, take: () => victim.post('/auth/logout') }
    },
    status: 401,
    path: '/users',
  },
]

describe.each(losses)('$what', ({ arrange, status, path }) => {
  test(`${status} immediately on this server, within a second on another`, async () => {
    const { victim, take } = await arrange(await api.workspace())
    const elsewhere = other.as(victim)
    expect((await victim.get(path)).status).toBe(200)
    // Kept warm on the other server, which is when it would remember longest.
    let stop = false
    const warm = (async () => {
      while (!stop) await elsewhere.get(path).then(() => sleep(2))
    })()
    await sleep(50)
    await take()
    const taken = performance.now()
    expect((await victim.get(path)).status).toBe(status)
    const last = await lastBefore(async () => (await elsewhere.get(path)).status === status)
    expect(last - taken).toBeLessThan(within(1_000))
    stop = true
    await warm
    expect((await elsewhere.get(path)).status).toBe(status)
  })
  test(`${status} immediately on this server, under many concurrent requests`, async () => {
    const { victim, take } = await arrange(await api.workspace())
    let taken = false
    const late: number[] = []
    const hail = Array.from({ length: 8 }, async () => {
      for (let i = 0; i < 40; i++) {
        const askedAfter = taken
        const answer = await victim.get(path)
        if (askedAfter) late.push(answer.status)
      }
    })
    await sleep(20)
    await take()
    taken = true
    await Promise.all(hail)
    late.push((await victim.get(path)).status)
    expect(new Set(late)).toEqual(new Set([status]))
  })
})

describe('teams', () => {
  test('membership is read with the rest', async () => {
    const ws = await api.workspace()
    const agent = await ws.user('agent')
    expect((await agent.get('/users/me')).body.teamIds).toEqual([])
    await ws.owner.put(`/teams/${ws.teamId}/members/${agent.id}`)
    const { deps } = api
    const caller = await createAuthenticator(deps)(agent.token)
    expect(caller?.teamIds).toEqual([ws.teamId])
  })
})

describe('what is remembered', () => {
  /** Counts the statements that authentication sends. */
  function counted() {
    let asked = 0
    const db: typeof api.deps.db = {
      ...api.deps.db,
      maybe: query => {
        asked++
        return api.deps.db.maybe(query)
      },
    }
    return { authenticate: createAuthenticator(inOneCell({ ...api.deps, db })), asked: () => asked }
  }

  test('a token asked for again and again costs one statement', async () => {
    const { owner } = await api.workspace()
    const { authenticate, asked } = counted()
    for (let i = 0; i < 50; i++) expect((await authenticate(owner.token))?.id).toBe(owner.id)
    await Promise.all(Array.from({ length: 50 }, () => authenticate(owner.token)))
    expect(asked()).toBe(1)
  })

  test('a change in one workspace is none of the others', async () => {
    const [mine, theirs] = [await api.workspace(), await api.workspace()]
    const { authenticate, asked } = counted()
    const both = () => Promise.all([authenticate(mine.owner.token), authenticate(theirs.owner.token)])
    await both()
    await theirs.owner.put(`/teams/${theirs.teamId}/members/${(await theirs.user('agent')).id}`)
    await both()
    expect(asked()).toBe(3)
  })

  test('what was read before a change and arrives after it is not kept', async () => {
    const ws = await api.workspace()
    const admin = await ws.user('admin')
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let first = true
    const db: typeof api.deps.db = {
      ...api.deps.db,
      maybe: async query => {
        const row = await api.deps.db.maybe(query)
        if (first) {
          first = false
          await held
        }
        return row as never
      },
    }
    const authenticate = createAuthenticator(inOneCell({ ...api.deps, db }))
    const early = authenticate(admin.token)
    await sleep(30)
    await ws.owner.put(`/users/${admin.id}/role`, { role: 'agent' })
    const during = authenticate(admin.token)
    release()
    expect((await early)?.role).toBe('admin')
    expect((await during)?.role).toBe('agent')
    expect((await authenticate(admin.token))?.role).toBe('agent')
  })

  test('changes in very many workspaces are not lost', async () => {
    const ws = await api.workspace()
    const admin = await ws.user('admin')
    const { authenticate } = counted()
    expect((await authenticate(admin.token))?.role).toBe('admin')
    await other.as(ws.owner).put(`/users/${admin.id}/role`, { role: 'agent' })
    const { signals } = api.deps.db
    signals.emit(callersChanged, ws.tenantId)
    for (let i = 0; i < 10_050; i++) signals.emit(callersChanged, `tn_${i}`)
    expect((await authenticate(admin.token))?.role).toBe('agent')
  })

  test('a wrong token is asked about each time, and none that is misspelt', async () => {
    const { authenticate, asked } = counted()
    const { key } = generateApiKey(TenantId.create())
    for (let i = 0; i < 3; i++) expect(await authenticate(key)).toBeUndefined()
    expect(asked()).toBe(3)
    const misspelt = [
      `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
      `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`,
      `${key.slice(0, 4)}${key[4] === 'a' ? 'b' : 'a'}${key.slice(5)}`,
      key.slice(0, -1),
      `${key}x`,
      key.toLowerCase(),
      'pk_',
      'pk_short_key',
      'pk_🙂',
      'nonsense',
      'a.b',
      'a.b.c.d',
    ]
    for (const token of misspelt) expect(await authenticate(token), token).toBeUndefined()
    expect(asked()).toBe(3)
  })

  test('a database that is away is not remembered as a refusal', async () => {
    const { owner } = await api.workspace()
    let away = true
    const db: typeof api.deps.db = {
      ...api.deps.db,
      maybe: query => (away ? Promise.reject(new Error('Connection terminated')) : api.deps.db.maybe(query)),
    }
    const authenticate = createAuthenticator(inOneCell({ ...api.deps, db }))
    await expect(authenticate(owner.token)).rejects.toThrow('terminated')
    away = false
    expect((await authenticate(owner.token))?.id).toBe(owner.id)
  })
})

describe('the Authorization header', () => {
  test('401 for other schemes and forms, 200 for any case of the word', async () => {
    const { owner } = await api.workspace()
    const ask = (authorization: string) => api.anonymous.get('/users/me', { authorization })
    expect((await ask(`bearer ${owner.token}`)).status).toBe(200)
    expect((await ask(`BEARER   ${owner.token}`)).status).toBe(200)
    const wrong = [
      owner.token,
      `Basic ${owner.token}`,
      `Bearer`,
      `Bearer ${owner.token} x`,
      `Bearer "${owner.token}"`,
      `Bearer ${owner.token},Bearer ${owner.token}`,
      `Bearer ${'x'.repeat(9000)}`,
    ]
    for (const header of wrong) {
      const answer = await ask(header)
      expect(answer.status, header.slice(0, 40)).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  })
})
