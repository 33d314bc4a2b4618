/** Writes what is made from the code: the API document, the types of the client, the page of workflow nodes. `--check` only compares. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { apiTags } from '../src/api-tags.ts'
import { routes } from '../src/app.ts'
import { buildOpenApi } from '../src/platform/http/openapi.ts'
import { renderCataloguePage } from '../src/workflows/catalogue.ts'

const root = path.resolve(import.meta.dirname, '..')
const document = `${JSON.stringify(buildOpenApi(routes, apiTags), null, 2)}\n`
const types = `// Made by npm run generate from openapi.json; do not edit.\n${astToString(await openapiTS(JSON.parse(document)))}`
const files = {
  'openapi.json': document,
  'client/api.generated.ts': types,
  'docs/workflow-nodes.md': renderCataloguePage(),
}

const checking = process.argv.includes('--check')
let stale = 0
for (const [name, text] of Object.entries(files)) {
  const file = path.join(root, name)
  if ((await readFile(file, 'utf8').catch(() => '')) === text) continue
  stale++
  if (!checking) await writeFile(file, text)
  console.log(checking ? `${name} is stale: run npm run generate` : `wrote ${name}`)
}
if (checking && stale > 0) process.exit(1)
