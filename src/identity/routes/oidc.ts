/** The login of browsers through an identity provider. Browsers open these addresses; scripts have no use for them. */
import Type from 'typebox'
import { anyCell } from '../../platform/http/locate.ts'
import { Reply, section } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import {
  buildCookie,
  buildSessionCookie,
  getOwnOrigin,
  readCookie,
} from '../../platform/http/session-cookie.ts'
import { startBrowserSession } from '../auth/browser-sessions.ts'
import {
  completeOidcLogin,
  type OidcLoginFailure,
  oidcCallbackPath,
  oidcLoginSeconds,
  ReturnTo,
  startOidcLogin,
} from '../auth/oidc-login.ts'
import { OidcLoginUnavailable } from '../errors.ts'

const route = section('Sessions', { extension: true })
const loginCookie = 'parley-login'

const redirect = (location: string) => new Reply({ status: 303, headers: { location } })

/** Tells the console the result: in the fragment, which is not sent to servers. */
const toPage = (returnTo: string, result: OidcLoginFailure | 'complete') =>
  `${returnTo.replace(/#.*/, '')}#login=${result}`

export const oidcRoutes = [
  route('GET /auth/oidc/start', {
    operationId: 'startOidcLogin',
    summary: 'Log in as a browser through the identity provider',
    description:
      'Redirects to the provider with the authorization code flow and PKCE. A cookie of ten minutes lets only this browser complete the login. If the provider is unreachable, redirects to `returnTo` with the fragment `#login=unavailable`.',
    access: 'public',
    locate: anyCell,
    limitPerMinute: 300,
    query: object({ returnTo: Type.Optional(ReturnTo) }),
    success: { status: 303, description: 'Redirects to the identity provider' },
    errors: [OidcLoginUnavailable],
    handle: async context => {
      const { request, reply, config, query } = context
      const returnTo = query.returnTo ?? '/'
      const { origin } = new URL(config.publicUrl)
      // The provider returns to PUBLIC_URL, and cookies belong to one host.
      if (config.oidc?.clientId && getOwnOrigin(request.raw, config).origin !== origin)
        return redirect(`${origin}${request.url}`)
      const login = await startOidcLogin(context, returnTo)
      if (!login) return redirect(toPage(returnTo, 'unavailable'))
      const cookie = { name: loginCookie, value: login.cookie, maxAgeSeconds: oidcLoginSeconds }
      // Lax: the provider, another site, sends the browser back.
      reply.header('set-cookie', buildCookie(request.raw, config, { ...cookie, sameSite: 'Lax' }))
      return redirect(login.url)
    },
  }),
  route(`GET ${oidcCallbackPath}`, {
    operationId: 'completeOidcLogin',
    summary: 'Complete the login through the identity provider',
    description:
      'The redirect URI of the client at the provider. Sets the session cookie and redirects to `returnTo` of the login with the fragment `#login=complete`. Otherwise the fragment is `#login=refused` (no user of this workspace), `cancelled`, `expired` (not the browser that began, or too late) or `unavailable`.',
    access: 'public',
    locate: anyCell,
    limitPerMinute: 300,
    query: Type.Object(
      {
        code: Type.Optional(Type.String({ maxLength: 8000 })),
        state: Type.Optional(Type.String({ maxLength: 2000 })),
        error: Type.Optional(Type.String({ maxLength: 2000 })),
      },
      { additionalProperties: true },
    ),
    success: { status: 303, description: 'Sets the session cookie and redirects to the page of the login' },
    errors: [OidcLoginUnavailable],
    handle: async context => {
      const { request, reply, config } = context
      // Programs that check links must not use up the code.
      if (request.method === 'HEAD') return redirect('/')
      const cookie = readCookie(request.raw, config, loginCookie)
      const search = new URL(request.url, config.publicUrl).searchParams
      const result = await completeOidcLogin(context, search, cookie)
      const deleted = { name: loginCookie, value: '', maxAgeSeconds: 0, sameSite: 'Lax' } as const
      reply.header('set-cookie', buildCookie(request.raw, config, deleted))
      if ('failure' in result) return redirect(toPage(result.returnTo, result.failure))
      const cell = await context.cells.of(result.user.tenantId)
      const { token, maxAgeSeconds } = await startBrowserSession(cell, {
        ...result.user,
        address: request.ip,
        userAgent: request.headers['user-agent'],
      })
      reply.header('set-cookie', buildSessionCookie(request.raw, config, token, maxAgeSeconds))
      return redirect(toPage(result.returnTo, 'complete'))
    },
  }),
]
