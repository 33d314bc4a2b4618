/**
 * Serves the web console: its page, rendered per request under a strict content security policy, and its files, which
 * never change under their name. Every response names the build, so that open tabs notice a newer one.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { projectRoot } from '../../platform/project-root.ts'

/** The built console; without `manifest` it has not been built. */
export interface Console {
  folder: string
  isDevelopment: boolean
  /** Whether browsers can log in through an identity provider. */
  hasOidcLogin: boolean
  manifest?: Manifest
  /** Identifies the build. */
  build?: string
  /** The sandbox is on, and with it the demo. */
  hasDemo: boolean
}

/** Written by bin/console.js. */
interface Manifest {
  build: string
  script: string
  style: string
  icon: string
  preload: string[]
}

/** Returns undefined if the console is turned off. */
export function loadConsole(
  { console, oidc, sandbox = false }: Pick<Config, 'console'> & Partial<Pick<Config, 'oidc' | 'sandbox'>>,
  folder = path.join(projectRoot, 'dist/console'),
): Console | undefined {
  if (console === 'off') return undefined
  const isDevelopment = console === 'development'
  const hasOidcLogin = oidc?.clientId !== undefined
  return { folder, isDevelopment, hasOidcLogin, hasDemo: sandbox, ...readManifest(folder) }
}

function readManifest(folder: string): Pick<Console, 'manifest' | 'build'> {
  try {
    const manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as Manifest
    return { manifest, build: manifest.build }
  } catch {
    return {}
  }
}

/** In development the console is built again while the service runs. */
const getCurrent = (console: Console): Console =>
  console.isDevelopment ? { ...console, ...readManifest(console.folder) } : console

/** Returns what identifies the current build; undefined: there is none. */
export const getBuild = (console: Console | undefined) => console && getCurrent(console).build

export async function registerConsole(app: FastifyInstance, console: Console | undefined): Promise<void> {
  if (!console) {
    app.get('/', async (_request, reply) => reply.redirect('/docs/'))
    return
  }
  app.addHook('onRequest', (_request, reply, done) => {
    const build = getBuild(console)
    if (build !== undefined) reply.header('x-parley-build', build)
    done()
  })
  if (console.manifest)
    await app.register(fastifyStatic, {
      root: console.folder,
      prefix: '/assets/',
      index: false,
      decorateReply: false,
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
    })
  app.get('/*', async (request, reply) => {
    if (!isPage(request)) return reply.callNotFound()
    const { manifest } = getCurrent(console)
    return manifest ? sendPage(reply, manifest, console) : sendNotBuilt(reply)
  })
}

/** Paths that belong to other parts of the service: unknown addresses below them are errors, not pages. */
const otherPaths = /^\/(v1|docs|healthz|readyz|metrics|assets|widget)(\/|$)|^\/widget\.js$/

function isPage({ url, headers }: FastifyRequest): boolean {
  return !otherPaths.test(url.split('?')[0]!) && /\btext\/html\b/.test(headers.accept ?? '')
}

const permissionsPolicy = 'microphone=(self), camera=(), geolocation=()'

/** The demo, a page of this service, shows the inbox beside the web chat. */
function toContentPolicy(nonce: string, hasDemo: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${hasDemo ? "'self'" : "'none'"}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

function sendPage(reply: FastifyReply, manifest: Manifest, console: Console): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': toContentPolicy(nonce, console.hasDemo),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': permissionsPolicy,
      'cache-control': 'no-store',
    })
    .send(renderPage(manifest, nonce, console))
}

function renderPage(
  { build, script, style, icon, preload }: Manifest,
  nonce: string,
  { isDevelopment, hasOidcLogin }: Console,
): string {
  const features = [
    isDevelopment ? '<meta name="parley-kit">' : '',
    hasOidcLogin ? '<meta name="parley-oidc">' : '',
  ]
  const preloads = preload.map(file => `<link rel="modulepreload" href="/assets/${file}">`).join('')
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Parley</title>
<meta name="csp-nonce" nonce="${nonce}"><meta name="parley-build" content="${build}">${features.join('')}
<meta name="color-scheme" content="light dark"><link rel="icon" href="/assets/${icon}" type="image/svg+xml">
<link rel="stylesheet" href="/assets/${style}">${preloads}<script type="module" src="/assets/${script}"></script></head>
<body><div id="root"></div><noscript>The Parley console needs JavaScript. The API reference is at <a href="/docs/">/docs/</a>.</noscript></body>
</html>`
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-store' })
    .send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Parley</title></head>
<body><main><h1>The console is not built</h1>
<p>The packages of the console are not installed. Run <code>npm ci</code> and <code>npm run build</code>, then start the service again.</p>
<p>The API is running; its reference is at <a href="/docs/">/docs/</a>.</p></main></body></html>`)
}
