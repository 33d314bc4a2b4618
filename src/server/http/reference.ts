/** Serves the OpenAPI document and the reference pages, without internet. */
import { createRequire } from 'node:module'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { apiDocs, exampleIdSources } from '../../api-docs.ts'
import type { ProblemKind } from '../../platform/errors.ts'
import * as commonProblems from '../../platform/errors.ts'
import { buildOpenApi } from '../../platform/http/openapi/openapi.ts'
import { listProblemKinds } from '../../platform/http/openapi/problem-responses.ts'
import type { Route } from '../../platform/http/route.ts'
import { buildStartScript } from './reference-script.ts'

export async function registerReference(app: FastifyInstance, routes: readonly Route[]): Promise<void> {
  // Built when first requested: most starts never need them.
  const document = once(() => JSON.stringify(buildOpenApi(routes, apiDocs)))
  app.get('/v1/openapi.json', async (_request, reply) =>
    reply.type('application/json').header('access-control-allow-origin', '*').send(document()),
  )
  await serveReference(app)
  const errors = once(() => renderErrorsPage(routes))
  app.get('/docs/errors', async (_request, reply) => html(reply, errors()))
}

function once<T>(build: () => T): () => T {
  let built: { value: T } | undefined
  return () => {
    built ??= { value: build() }
    return built.value
  }
}

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

function html(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', pagePolicy).send(text)
}

async function serveReference(app: FastifyInstance): Promise<void> {
  const assets = path.join(
    path.dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')),
    'static',
  )
  await app.register(fastifyStatic, {
    root: assets,
    prefix: '/docs/assets/',
    index: false,
    decorateReply: false,
    cacheControl: true,
    maxAge: '1h',
  })
  app.get('/docs', async (_request, reply) => reply.redirect('/docs/'))
  app.get('/docs/', async (_request, reply) => html(reply, referencePage))
  const startScript = buildStartScript(exampleIdSources)
  app.get('/docs/start.js', async (_request, reply) => reply.type('text/javascript').send(startScript))
}

const referencePage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Parley API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css"><link rel="icon" href="/docs/assets/favicon-32x32.png"></head>
<body><div id="reference"></div><script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>`

function renderErrorsPage(routes: readonly Route[]): string {
  const common = Object.values(commonProblems).filter(
    (value): value is ProblemKind => typeof value === 'object' && value !== null && 'code' in value,
  )
  const kinds = [
    ...new Map([...common, ...listProblemKinds(routes)].map(kind => [kind.code, kind])).values(),
  ].sort((a, b) => (a.code < b.code ? -1 : 1))
  const rows = kinds.map(
    kind =>
      `<tr id="${kind.code}"><td><code>${kind.code}</code></td><td>${kind.status}</td><td>${escapeHtml(kind.title)}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Parley errors</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}td,th{padding:.3rem .8rem;text-align:left;border-bottom:1px solid #ddd}tr:target{background:#fff3c4}</style></head>
<body><h1>Error codes</h1><p>Every error has the members <code>type</code>, <code>title</code>, <code>status</code>, <code>detail</code>, <code>instance</code>, <code>code</code> and <code>requestId</code>; <code>violations</code> lists the invalid fields. Branch on <code>code</code>.</p>
<table><thead><tr><th>code</th><th>status</th><th>meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></body></html>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, character => `&#${character.charCodeAt(0)};`)
}
