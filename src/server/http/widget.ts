/**
 * Serves the web chat to websites: the loader that pages embed, the page of its frame, which only the origins of the inbox
 * may embed, and the files of both. With the sandbox on, `/demo` is a page that has the widget.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { projectRoot } from '../../platform/project-root.ts'
import { findWebchat, locateWebchat } from '../../webchat/config.ts'
import { findFirstWebchatKey } from '../store.ts'
import { chooseLanguage, type PageFiles, renderDemo } from './demo.ts'

/** Written by bin/widget.js. */
interface Manifest {
  loader: string
  module: string
  frame: PageFiles
  demo: PageFiles
}

export interface WidgetOptions {
  isDevelopment: boolean
  folder?: string
  /** Returns the origins that may embed the chat of the inbox; undefined: there is no such inbox. */
  findAllowedOrigins(inboxKey: string): Promise<readonly string[] | undefined>
  /** Returns the key of the inbox of the demo; undefined: there is none. */
  findDemoInbox?(): Promise<string | undefined>
}

export function buildWidgetOptions({ cells, config }: Pick<Deps, 'cells' | 'config'>): WidgetOptions {
  return {
    isDevelopment: config.console === 'development',
    findAllowedOrigins: async inboxKey => {
      const { db } = await locateWebchat(cells, inboxKey)
      return (await findWebchat(db, inboxKey))?.webchat.allowedOrigins
    },
    ...(config.sandbox ? { findDemoInbox: () => findFirstWebchatKey(cells.home.db) } : {}),
  }
}

function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as Manifest
  } catch {
    return undefined
  }
}

export async function registerWidget(app: FastifyInstance, options: WidgetOptions): Promise<void> {
  const { folder = path.join(projectRoot, 'dist/widget'), isDevelopment } = options
  const manifest = readManifest(folder)
  if (!manifest) return
  // In development the widget is built again while the service runs.
  const getManifest = () => (isDevelopment && readManifest(folder)) || manifest
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/widget/assets/',
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  })
  app.get('/widget.js', (_request, reply) => sendLoader(reply, getManifest().loader))
  app.get('/widget.mjs', (_request, reply) => sendLoader(reply, getManifest().module))
  app.get('/widget/frame', async ({ url }, reply) => {
    const key = new URLSearchParams(url.split('?')[1]).get('inboxKey') ?? ''
    const origins = /^wcx_\w{1,100}$/.test(key) ? await options.findAllowedOrigins(key) : undefined
    if (!origins) return sendPage(reply.code(404), "default-src 'none'; frame-ancestors *", notFoundPage)
    return sendPage(reply, toFramePolicy(origins), renderFrame(getManifest().frame))
  })
  const { findDemoInbox } = options
  if (findDemoInbox)
    app.get('/demo', async ({ headers }, reply) => {
      const inboxKey = await findDemoInbox()
      if (inboxKey === undefined) return reply.callNotFound()
      const language = chooseLanguage(headers['accept-language'])
      return sendPage(reply, demoPolicy, renderDemo(getManifest().demo, inboxKey, language))
    })
}

/** The name of the file is fixed in other people's pages, so browsers ask again after five minutes. */
function sendLoader(reply: FastifyReply, file: string): FastifyReply {
  return reply
    .headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
    .sendFile(file, { maxAge: '5m', immutable: false })
}

function sendPage(reply: FastifyReply, policy: string, page: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': policy,
      'permissions-policy': 'microphone=(), camera=(), geolocation=()',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .send(page)
}

const sharedPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** Stored origins are normalised: a scheme, a host and perhaps a port. */
function toFramePolicy(origins: readonly string[]): string {
  const ancestors = ["'self'", ...origins.filter(origin => URL.canParse(origin))].join(' ')
  return [...sharedPolicy, "media-src 'self' blob:", `frame-ancestors ${ancestors}`].join('; ')
}

const demoPolicy = [...sharedPolicy, "frame-src 'self'", "frame-ancestors 'none'"].join('; ')

const notFoundPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Chat</title></head>
<body><main><h1>There is no chat with this key</h1></main></body></html>`

function renderFrame({ script, style }: PageFiles): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<title>Chat</title><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/widget/assets/${style}"><script type="module" src="/widget/assets/${script}"></script></head>
<body><div id="root"></div></body>
</html>`
}
