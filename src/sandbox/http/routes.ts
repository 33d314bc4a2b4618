/** Dispatches requests to providers by prefix; without a prefix by the version in the path, as real clients send it. */
import { download } from '../chatapp/media.ts'
import { handleChatapp } from '../chatapp/routes.ts'
import type { SandboxContext } from '../context.ts'
import { withGraphErrors } from '../graph/graph.ts'
import { samples } from '../media/samples.ts'
import { handleSms } from '../sms/routes.ts'
import { handleSocialapp } from '../socialapp/routes.ts'
import type { RequestLog } from './request-log.ts'
import type { HttpRequest, HttpResponse, RequestHandler } from './server.ts'

type Provider = (context: SandboxContext, request: HttpRequest) => Promise<HttpResponse>

const notFound: HttpResponse = { status: 404, json: { error: 'not found' } }
const graphVersion = /^v\d+\.\d+$/

/** Removes the optional Graph version from the path. */
const graphVersioned =
  (provider: Provider): Provider =>
  (context, request) =>
    provider(context, {
      ...request,
      ...(graphVersion.test(request.path[0] ?? '')
        ? { path: request.path.slice(1), base: `${request.base}/${request.path[0]}` }
        : {}),
    })

const smsVersioned: Provider = (context, request) =>
  request.path[0] === '2010-04-01'
    ? handleSms(context, { ...request, path: request.path.slice(1) })
    : Promise.resolve({ status: 404, json: { code: 20404, message: 'not found', status: 404 } })

const prefixes: Record<string, Provider> = {
  chatapp: graphVersioned(handleChatapp),
  socialapp: graphVersioned(handleSocialapp),
  sms: smsVersioned,
}

/** Serves files that need no token: signed URLs and samples. */
function serveFile(context: SandboxContext, request: HttpRequest): HttpResponse {
  const [first, kind, id] = request.path
  if (first === 'samples' && Object.hasOwn(samples, kind ?? '')) {
    const sample = samples[kind as keyof typeof samples]
    return { status: 200, bytes: sample.bytes(), type: sample.mimeType }
  }
  const media = context.media.find(id ?? '')
  if (first !== 'cdn' || !media || !context.media.isSignatureValid(media, request.query)) return notFound
  return { status: 200, file: context.media.file(media.id), type: media.mimeType }
}

async function dispatch(
  context: SandboxContext,
  control: RequestHandler,
  request: HttpRequest,
): Promise<HttpResponse> {
  const [first = ''] = request.path
  const rest = () => ({ ...request, path: request.path.slice(1) })
  if (first === 'control') return control(rest())
  if (first === 'samples' || first === 'cdn') return serveFile(context, request)
  if (first === 'downloads') return withGraphErrors(() => download(context, request), 'whatsapp')
  if (first === '2010-04-01') return smsVersioned(context, request)
  const provider = Object.hasOwn(prefixes, first) ? prefixes[first] : undefined
  if (provider) return provider(context, { ...rest(), base: `${request.base}/${first}` })
  if (first === '') return { status: 200, json: { name: 'Parley sandbox', providers: Object.keys(prefixes) } }
  return graphVersioned(handleChatapp)(context, request)
}

export function buildHandler(
  context: SandboxContext,
  requests: RequestLog,
  control: RequestHandler,
): RequestHandler {
  return async request => {
    const response = await dispatch(context, control, request)
    if (request.path[0] !== 'control') requests.add(request, response, context.clock.sharedNow())
    return response
  }
}
