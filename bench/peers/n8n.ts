/**
 * Runs the flow in n8n on PostgreSQL: webhook, set, if, set. Runs are persisted with n8n's defaults or, to be as durable
 * as Parley, after every step. Telemetry and downloads are off.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ConnectionConfig } from '../../src/platform/db/db.ts'
import { put } from './loads.ts'
import { freePort, runPeer, startPeer } from './peer.ts'
import { counting, type Server } from './server.ts'

const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
  id: name,
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion,
  position: [0, 0],
  parameters,
})
const assign = (name: string, value: string) => ({
  assignments: { assignments: [{ id: name, name, value, type: 'string' }] },
  includeOtherFields: true,
  options: {},
})
const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] })

const workflow = {
  id: 'threeSteps',
  name: 'Three steps',
  active: false,
  settings: { executionOrder: 'v1' },
  nodes: [
    {
      ...node('Webhook', 'webhook', 2, {
        httpMethod: 'POST',
        path: 'order',
        responseMode: 'onReceived',
        options: {},
      }),
      webhookId: 'order',
    },
    node('Set', 'set', 3.4, assign('total', '={{ $json.body.data.total }}')),
    node('If', 'if', 2.2, {
      conditions: {
        options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
        conditions: [
          {
            id: 'ten',
            leftValue: '={{ $json.total }}',
            rightValue: '10',
            operator: { type: 'string', operation: 'equals' },
          },
        ],
        combinator: 'and',
      },
      options: {},
    }),
    node('Tag', 'set', 3.4, assign('tag', 'Bought')),
  ],
  connections: { Webhook: to('Set'), Set: to('If'), If: to('Tag') },
}

const silent = {
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
  N8N_DYNAMIC_BANNERS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_HIRING_BANNER_ENABLED: 'false',
  N8N_COMMUNITY_PACKAGES_ENABLED: 'false',
  N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
  N8N_PUBLIC_API_DISABLED: 'true',
  N8N_DISABLE_UI: 'true',
  N8N_LOG_LEVEL: 'error',
  EXTERNAL_FRONTEND_HOOKS_URLS: '',
}

function onDatabase({ host, port, user, password, database }: ConnectionConfig) {
  return {
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: host ?? '',
    DB_POSTGRESDB_PORT: String(port ?? 5432),
    DB_POSTGRESDB_USER: user ?? '',
    DB_POSTGRESDB_PASSWORD: typeof password === 'string' ? password : '',
    DB_POSTGRESDB_DATABASE: database ?? '',
    DB_POSTGRESDB_POOL_SIZE: '10',
  }
}

export async function startN8n(server: Server, saving: 'run' | 'step') {
  const name = `n8n_${saving}`
  const [database, port, dir] = [await server.database(name), await freePort(), path.join(server.dir, name)]
  mkdirSync(dir)
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...silent,
    ...onDatabase(database),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PORT: String(port),
    N8N_USER_FOLDER: dir,
    N8N_ENCRYPTION_KEY: 'a key of the benchmark',
    EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
    EXECUTIONS_DATA_SAVE_ON_PROGRESS: String(saving === 'step'),
  }
  const file = path.join(dir, 'workflow.json')
  writeFileSync(file, JSON.stringify(workflow))
  const program = { file: 'n8n/bin/n8n', env, dir }
  await runPeer({ ...program, args: ['import:workflow', `--input=${file}`] })
  await runPeer({ ...program, args: ['publish:workflow', '--id=threeSteps'] })
  const stop = await startPeer({ ...program, args: ['start'] }, async () => {
    // Webhooks are registered some time after the server answers.
    const answer = await fetch(`${url}/webhook/order`, { method: 'GET' })
    return answer.status === 404 && (await answer.text()).includes('POST')
  })
  const load = {
    url,
    method: 'POST' as const,
    path: '/webhook/order',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { total: '10' } }),
    connections: 32,
  }
  const done = await counting(
    database,
    `select count(*)::int as n from execution_entity where status = 'success'`,
  )
  return {
    stop: async () => {
      await done.close()
      await stop()
    },
    start: (from: number, count: number) => put({ ...load, from, count }),
    finished: done.count,
  }
}
