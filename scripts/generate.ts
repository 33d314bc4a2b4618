/** Writes the files generated from the code: OpenAPI document, client types, workflow node reference. `--check` only compares. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { apiTags } from '../src/api-tags.ts'
import { routes } from '../src/app.ts'
import { buildOpenApi } from '../src/platform/http/openapi.ts'
import { renderCataloguePage } from '../src/workflows/catalogue.ts'

const root = path.resolve(import.meta.dirname, '..')
const document = `${JSON.stringify(buildOpenApi(routes, apiTags), null, 2)}\n`
const types = `// Generated from openapi.json by npm run generate; do not edit.\n${astToString(await openapiTS(JSON.parse(document)))}`
const files = {
  'openapi.json': document,
  'client/api.generated.ts': types,
  'docs/workflow-nodes.md': renderCataloguePage(),
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
