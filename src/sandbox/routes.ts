/** Which provider is meant. Each has a prefix; without one, the version in the path tells, as clients of the real ones send it. */

import { download } from './chatapp/media.ts'
import { chatapp } from './chatapp/routes.ts'
import { GraphError } from './graph.ts'
import type { Answer, Handle, Incoming } from './http.ts'
import type { RequestLog } from './requests.ts'
import { samples } from './samples.ts'
import { sms } from './sms/routes.ts'
import { socialapp } from './socialapp/routes.ts'
import type { World } from './world.ts'

type Provider = (world: World, incoming: Incoming) => Promise<Answer>

const notFound: Answer = { status: 404, json: { error: 'not found' } }
const graphVersion = /^v\d+\.\d+$/

/** The Graph platform takes its version or leaves it. */
const versioned =
  (provider: Provider): Provider =>
  (world, incoming) =>
    provider(world, {
      ...incoming,
      ...(graphVersion.test(incoming.path[0] ?? '')
        ? { path: incoming.path.slice(1), base: `${incoming.base}/${incoming.path[0]}` }
        : {}),
    })

const dated: Provider = (world, incoming) =>
  incoming.path[0] === '2010-04-01'
    ? sms(world, { ...incoming, path: incoming.path.slice(1) })
    : Promise.resolve({ status: 404, json: { code: 20404, message: 'not found', status: 404 } })

const prefixes: Record<string, Provider> = {
  chatapp: versioned(chatapp),
  socialapp: versioned(socialapp),
  sms: dated,
}

/** Files that need no token: what the address itself allows, and samples. */
function file(world: World, incoming: Incoming): Answer {
  const [first, kind, id] = incoming.path
  if (first === 'samples' && Object.hasOwn(samples, kind ?? '')) {
    const sample = samples[kind as keyof typeof samples]
    return { status: 200, bytes: sample.bytes(), type: sample.mimeType }
  }
  const media = world.media.find(id ?? '')
  if (first !== 'cdn' || !media || !world.media.isValid(media, incoming.query)) return notFound
  return { status: 200, file: world.media.file(media.id), type: media.mimeType }
}

async function answer(world: World, control: Handle, incoming: Incoming): Promise<Answer> {
  const [first = ''] = incoming.path
  const rest = () => ({ ...incoming, path: incoming.path.slice(1) })
  if (first === 'control') return control(rest())
  if (first === 'samples' || first === 'cdn') return file(world, incoming)
  if (first === 'downloads') return downloaded(world, incoming)
  if (first === '2010-04-01') return dated(world, incoming)
  const provider = Object.hasOwn(prefixes, first) ? prefixes[first] : undefined
  if (provider) return provider(world, { ...rest(), base: `${incoming.base}/${first}` })
  if (first === '') return { status: 200, json: { name: 'Parley sandbox', providers: Object.keys(prefixes) } }
  return versioned(chatapp)(world, incoming)
}

function downloaded(world: World, incoming: Incoming): Answer {
  try {
    return download(world, incoming)
  } catch (error) {
    if (error instanceof GraphError) return error.answer('whatsapp')
    throw error
  }
}

export function routes(world: World, requests: RequestLog, control: Handle): Handle {
  return async incoming => {
    const found = await answer(world, control, incoming)
    if (incoming.path[0] !== 'control') requests.add(incoming, found, world.time.common())
    return found
  }
}
