/** Which provider is meant. Each has a prefix; without one, the version in the path tells, as clients of the real ones send it. */

import { download } from '../chatapp/media.ts'
import { handleChatapp } from '../chatapp/routes.ts'
import type { SandboxContext } from '../context.ts'
import { GraphError } from '../graph/graph.ts'
import { samples } from '../media/samples.ts'
import { handleSms } from '../sms/routes.ts'
import { handleSocialapp } from '../socialapp/routes.ts'
import type { RequestLog } from './request-log.ts'
import type { HttpRequest, HttpResponse, RequestHandler } from './server.ts'

type Provider = (world: SandboxContext, incoming: HttpRequest) => Promise<HttpResponse>

const notFound: HttpResponse = { status: 404, json: { error: 'not found' } }
const graphVersion = /^v\d+\.\d+$/

/** The Graph platform takes its version or leaves it. */
const graphVersioned =
  (provider: Provider): Provider =>
  (world, incoming) =>
    provider(world, {
      ...incoming,
      ...(graphVersion.test(incoming.path[0] ?? '')
        ? { path: incoming.path.slice(1), base: `${incoming.base}/${incoming.path[0]}` }
        : {}),
    })

const smsVersioned: Provider = (world, incoming) =>
  incoming.path[0] === '2010-04-01'
    ? handleSms(world, { ...incoming, path: incoming.path.slice(1) })
    : Promise.resolve({ status: 404, json: { code: 20404, message: 'not found', status: 404 } })

const prefixes: Record<string, Provider> = {
  chatapp: graphVersioned(handleChatapp),
  socialapp: graphVersioned(handleSocialapp),
  sms: smsVersioned,
}

/** Files that need no token: what the address itself allows, and samples. */
function serveFile(world: SandboxContext, incoming: HttpRequest): HttpResponse {
  const [first, kind, id] = incoming.path
  if (first === 'samples' && Object.hasOwn(samples, kind ?? '')) {
    const sample = samples[kind as keyof typeof samples]
    return { status: 200, bytes: sample.bytes(), type: sample.mimeType }
  }
  const media = world.media.find(id ?? '')
  if (first !== 'cdn' || !media || !world.media.isSignatureValid(media, incoming.query)) return notFound
  return { status: 200, file: world.media.file(media.id), type: media.mimeType }
}

async function dispatch(
  world: SandboxContext,
  control: RequestHandler,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const [first = ''] = incoming.path
  const rest = () => ({ ...incoming, path: incoming.path.slice(1) })
  if (first === 'control') return control(rest())
  if (first === 'samples' || first === 'cdn') return serveFile(world, incoming)
  if (first === 'downloads') return serveDownload(world, incoming)
  if (first === '2010-04-01') return smsVersioned(world, incoming)
  const provider = Object.hasOwn(prefixes, first) ? prefixes[first] : undefined
  if (provider) return provider(world, { ...rest(), base: `${incoming.base}/${first}` })
  if (first === '') return { status: 200, json: { name: 'Parley sandbox', providers: Object.keys(prefixes) } }
  return graphVersioned(handleChatapp)(world, incoming)
}

function serveDownload(world: SandboxContext, incoming: HttpRequest): HttpResponse {
  try {
    return download(world, incoming)
  } catch (error) {
    if (error instanceof GraphError) return error.toResponse('whatsapp')
    throw error
  }
}

export function buildHandler(
  world: SandboxContext,
  requests: RequestLog,
  control: RequestHandler,
): RequestHandler {
  return async incoming => {
    const found = await dispatch(world, control, incoming)
    if (incoming.path[0] !== 'control') requests.add(incoming, found, world.clock.sharedNow())
    return found
  }
}
