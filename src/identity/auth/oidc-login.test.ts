/** Logs browsers in through a real OpenID provider. */
import { beforeEach, describe, expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { loginClientId, startIssuer } from '../testing/oidc-issuer.ts'
import { createTestUser } from '../testing/users.ts'

const issuer = await startIssuer()
const api = await testApi({
  OIDC_ISSUER: issuer.url,
  OIDC_CLIENT_ID: loginClientId,
  OIDC_TENANT_CLAIM: 'workspace',
})
Object.assign(api.deps.config, { publicUrl: api.url })
const ws = await api.workspace()

let n = 0
let subject = ''
beforeEach(() => {
  subject = `login-${n++}`
})

/** Follows redirects and keeps cookies as a browser does, until a page of ours or an error. */
class Visitor {
  readonly cookies = new Map<string, string>()
  /** Every address that was opened. */
  readonly visited: URL[] = []

  async open(start: string | URL): Promise<{ url: URL; response: Response }> {
    let url = new URL(start, api.url)
    for (;;) {
      this.visited.push(url)
      const response = await fetch(url, { redirect: 'manual', headers: this.#headers(url) })
      await response.arrayBuffer()
      for (const set of response.headers.getSetCookie()) this.#store(url, set)
      const location = response.headers.get('location')
      if (!location) return { url, response }
      url = new URL(location, url)
      if (url.origin === api.url && !url.pathname.startsWith('/v1/')) return { url, response }
    }
  }

  #headers(url: URL): Record<string, string> {
    const own = [...this.cookies].filter(([key]) => key.startsWith(`${url.origin} `))
    const cookie = own.map(([key, value]) => `${key.split(' ')[1]}=${value}`).join('; ')
    return { cookie, 'x-subject': subject, 'sec-fetch-site': 'cross-site' }
  }

  #store(url: URL, set: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
    if (/max-age=0/i.test(set)) this.cookies.delete(`${url.origin} ${name}`)
    else this.cookies.set(`${url.origin} ${name}`, value!)
  }

  readOwn(name: string): string | undefined {
    return this.cookies.get(`${api.url} ${name}`)
  }

  /** Returns the signed-in user. */
  async me(): Promise<{ status: number; id?: string }> {
    const cookie = `__Host-parley=${this.readOwn('__Host-parley')}`
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const response = await fetch(`${api.url}/v1/users/me`, { headers })
    return { status: response.status, ...((await response.json()) as { id?: string }) }
  }
}

function know(email: string, more: object = {}): void {
  issuer.users.set(subject, { email, email_verified: true, workspace: ws.tenantId, ...more })
}

const start = (returnTo = '/inbox?view=mine') =>
  `/v1/auth/oidc/start?returnTo=${encodeURIComponent(returnTo)}`

describe('a login', () => {
  test('of an invited user opens the page with a session, and deletes the cookie of the flow', async () => {
    const person = await createTestUser(api, ws.tenantId, { invited: true })
    know(person.email)
    const visitor = new Visitor()
    const { url, response } = await visitor.open(start())
    expect(response.status).toBe(303)
    expect(url.href).toBe(`${api.url}/inbox?view=mine#login=complete`)
    expect(await visitor.me()).toMatchObject({ status: 200, id: person.id })
    expect(visitor.readOwn('__Host-parley-login')).toBeUndefined()
    const [session] = response.headers.getSetCookie().filter(set => set.startsWith('__Host-parley='))
    expect(session).toMatch(/; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000$/)
    const log = await ws.owner.get(`/audit-log?actorId=${person.id}&action=login.succeeded`)
    expect(log.body.items).toHaveLength(1)
  })

  test('uses PKCE with S256, a state and a nonce that are never repeated', async () => {
    const attempts = await Promise.all(
      [1, 2].map(async () => {
        const response = await fetch(`${api.url}${start()}`, { redirect: 'manual' })
        expect(response.headers.getSetCookie()[0]).toMatch(
          /^__Host-parley-login=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
        )
        return Object.fromEntries(new URL(response.headers.get('location')!).searchParams)
      }),
    )
    for (const attempt of attempts)
      expect(attempt).toMatchObject({
        response_type: 'code',
        client_id: loginClientId,
        redirect_uri: `${api.url}/v1/auth/oidc/callback`,
        scope: 'openid profile email',
        code_challenge_method: 'S256',
      })
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(attempts[0]![name]).not.toBe(attempts[1]![name])
  })

  test('of a person without access ends at the page with a reason, without a session', async () => {
    know(`${subject}@example.com`)
    const visitor = new Visitor()
    const { url } = await visitor.open(start('/inbox#x'))
    expect(url.href).toBe(`${api.url}/inbox#login=refused`)
    expect(visitor.readOwn('__Host-parley')).toBeUndefined()
  })

  test('at another host than PUBLIC_URL continues there, where the provider returns to', async () => {
    const { port } = new URL(api.url)
    const response = await fetch(`http://localhost:${port}${start('/contacts')}`, { redirect: 'manual' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`${api.url}${start('/contacts')}`)
    expect(response.headers.getSetCookie()).toEqual([])
  })
})

describe('a callback', () => {
  /** Goes through the provider up to the callback, without opening it. */
  async function getCallback(visitor: Visitor): Promise<URL> {
    const person = await createTestUser(api, ws.tenantId, { invited: true })
    know(person.email)
    await visitor.open(start())
    return visitor.visited.find(({ pathname }) => pathname.endsWith('/callback'))!
  }

  test.each([
    ['without the cookie of the flow', () => new Visitor()],
    [
      'with the cookie of another login',
      async () => {
        const other = new Visitor()
        const response = await fetch(`${api.url}${start()}`, { redirect: 'manual' })
        const [set] = response.headers.getSetCookie()
        other.cookies.set(`${api.url} __Host-parley-login`, /=([^;]*)/.exec(set!)![1]!)
        return other
      },
    ],
    [
      'with a cookie that is not ours',
      () => {
        const other = new Visitor()
        other.cookies.set(`${api.url} __Host-parley-login`, 'bm90IGpzb24')
        return other
      },
    ],
  ])('%s is refused as expired', async (_, prepare) => {
    const callback = await getCallback(new Visitor())
    const visitor = await prepare()
    const { url } = await visitor.open(callback)
    expect(url.hash).toBe('#login=expired')
    expect(visitor.readOwn('__Host-parley')).toBeUndefined()
  })

  test('that is repeated gets no second session: the provider accepts a code once', async () => {
    const visitor = new Visitor()
    const begun = await fetch(`${api.url}${start()}`, { redirect: 'manual' })
    const person = await createTestUser(api, ws.tenantId, { invited: true })
    know(person.email)
    const [, value] = /=([^;]*)/.exec(begun.headers.getSetCookie()[0]!)!
    visitor.cookies.set(`${api.url} __Host-parley-login`, value!)
    await visitor.open(begun.headers.get('location')!)
    const callback = visitor.visited.find(({ pathname }) => pathname.endsWith('/callback'))!
    expect(visitor.readOwn('__Host-parley')).toBeDefined()
    visitor.cookies.set(`${api.url} __Host-parley-login`, value!)
    visitor.cookies.delete(`${api.url} __Host-parley`)
    const { url } = await visitor.open(callback)
    expect(url.hash).toBe('#login=unavailable')
    expect(visitor.readOwn('__Host-parley')).toBeUndefined()
  })

  test('after a cancelled login says so', async () => {
    const begun = await fetch(`${api.url}${start()}`, { redirect: 'manual' })
    const state = new URL(begun.headers.get('location')!).searchParams.get('state')
    const visitor = new Visitor()
    const [, value] = /=([^;]*)/.exec(begun.headers.getSetCookie()[0]!)!
    visitor.cookies.set(`${api.url} __Host-parley-login`, value!)
    const { url } = await visitor.open(`/v1/auth/oidc/callback?error=access_denied&state=${state}`)
    expect(url.hash).toBe('#login=cancelled')
  })
})

describe('bad input', () => {
  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'inbox', '/in box', '/a\r\nb: c'])(
    '400 for returnTo %j',
    async returnTo => {
      expect((await fetch(`${api.url}${start(returnTo)}`, { redirect: 'manual' })).status).toBe(400)
    },
  )

  test('404 without a client', async () => {
    const plain = await api.another({ oidc: undefined })
    for (const path of ['/auth/oidc/start', '/auth/oidc/callback?code=1&state=2']) {
      const response = await fetch(`${plain.url}/v1${path}`, { redirect: 'manual' })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'auth_oidc_login_unavailable' })
    }
  })
})

test('an unreachable provider is a page with a reason, and logins work again afterwards', async () => {
  const fresh = await api.another()
  Object.assign(fresh.deps.config, { publicUrl: fresh.url })
  await issuer.pause()
  try {
    const response = await fetch(`${fresh.url}${start('/inbox')}`, { redirect: 'manual' })
    expect(response.headers.get('location')).toBe('/inbox#login=unavailable')
  } finally {
    await issuer.resume()
  }
  const response = await fetch(`${fresh.url}${start('/inbox')}`, { redirect: 'manual' })
  expect(response.headers.get('location')).toMatch(new RegExp(`^${issuer.url}/auth\\?`))
})
