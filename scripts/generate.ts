/** Writes the generated files: API document, client types, page of workflow nodes, database schema. `--check` only compares. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { apiDocs } from '../src/api-docs.ts'
import { routes } from '../src/app.ts'
import { startEmbedded } from '../src/platform/db/embedded/start.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { dumpSchema } from '../src/platform/db/testing/dump-schema.ts'
import { buildOpenApi } from '../src/platform/http/openapi/openapi.ts'
import { renderCataloguePage } from '../src/workflows/catalogue.ts'

const root = path.resolve(import.meta.dirname, '..')
const document = `${JSON.stringify(buildOpenApi(routes, apiDocs), null, 2)}\n`
const types = `// Generated from openapi.json by npm run generate; do not edit.\n${astToString(await openapiTS(JSON.parse(document)))}`
const files = {
  'openapi.json': document,
  'client/api.generated.ts': types,
  'docs/workflow-nodes.md': renderCataloguePage(),
  'schema.sql': await buildSchema(),
}

const isCheck = process.argv.includes('--check')
let stale = 0
for (const [name, text] of Object.entries(files)) {
  const file = path.join(root, name)
  if ((await readFile(file, 'utf8').catch(() => '')) === text) continue
  stale++
  if (!isCheck) await writeFile(file, text)
  console.log(isCheck ? `${name} is stale: run npm run generate` : `wrote ${name}`)
}
if (isCheck && stale > 0) process.exit(1)

/** Dumps the schema of a freshly migrated database on a server of its own. */
async function buildSchema(): Promise<string> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'parley-schema-'))
  const server = await startEmbedded({ dataDir, settings: { fsync: 'off' } })
  try {
    await migrate(server.connection)
    return await dumpSchema(server.connection)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
