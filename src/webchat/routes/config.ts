import { readBearerToken } from '../../platform/http/authorize.ts'
import { toClientNetwork } from '../../platform/http/rate-limit.ts'
import { Reply, section } from '../../platform/http/route.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { buildWidgetConfig, checkOrigin, getWebchat, locateWebchat } from '../config.ts'
import { OriginNotAllowed, PreChatRequired, WebchatNotFound } from '../errors.ts'
import { Session, SessionRequest, WidgetConfig } from '../schemas.ts'
import { startSession } from '../visitors/sessions.ts'

const route = section('Web chat', { extension: true })

export const configRoutes = [
  route('GET /widget/config', {
    operationId: 'getWidgetConfig',
    summary: 'Get what a page needs to show a web chat',
    description:
      'For pages of the origins that the inbox allows, and of this service. Browsers may keep the response for a minute.',
    access: 'public',
    locate: ({ query }, cells) => locateWebchat(cells, query.inboxKey),
    limitPerMinute: 600,
    query: object({ inboxKey: AnyId }),
    success: { status: 200, body: WidgetConfig },
    errors: [WebchatNotFound, OriginNotAllowed],
    handle: async context => {
      const inbox = await getWebchat(context.db, context.query.inboxKey)
      const origin = checkOrigin(context, inbox, context.request.raw)
      const headers = {
        'cache-control': 'public, max-age=60',
        vary: 'Origin',
        ...(origin === undefined ? {} : { 'access-control-allow-origin': origin }),
      }
      return new Reply({ headers, body: await buildWidgetConfig(context, inbox) })
    },
  }),
  route('POST /widget/{inboxKey}/sessions', {
    operationId: 'startWidgetSession',
    summary: 'Start or continue the session of a visitor',
    description:
      'With a valid visitor token in the Authorization header, the visitor goes on and `visitorToken` is null. Otherwise a new anonymous visitor gets a token, which is valid for 30 days after its last use.',
    access: 'public',
    locate: ({ params }, cells) => locateWebchat(cells, params.inboxKey),
    limitPerMinute: 120,
    params: object({ inboxKey: AnyId }),
    body: SessionRequest,
    bodyOptional: true,
    example: { locale: 'en', page: 'https://shop.example/pricing' },
    success: { status: 201, body: Session },
    errors: [WebchatNotFound, OriginNotAllowed, PreChatRequired],
    handle: context => {
      const { request, params, body, write } = context
      const network = toClientNetwork(request.ip)
      const start = { ...body, ...params, token: findToken(request.headers.authorization), network }
      return startSession(context, request.raw, start, write)
    },
  }),
]

/** A token that is not valid is like none. */
function findToken(authorization: string | undefined): string | undefined {
  try {
    return authorization === undefined ? undefined : readBearerToken(authorization)
  } catch {
    return undefined
  }
}
