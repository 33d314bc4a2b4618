/** Writes the list of operations that are named but not served yet. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { routes } from '../src/app.ts'
import { operationOf } from '../src/platform/http/route.ts'

const spec = path.resolve(import.meta.dirname, '../spec')
const read = (file: string) =>
  JSON.parse(readFileSync(path.join(spec, file), 'utf8')) as { method: string; path: string }[]
const served = new Set(routes.map(operationOf))
const missing = [...read('operations.json'), ...read('extensions.json')]
  .map(one => `${one.method} ${one.path}`)
  .filter(one => !served.has(one))
writeFileSync(path.join(spec, 'to-come.json'), `${JSON.stringify(missing, null, 2)}\n`)
console.log(`${missing.length} operations are to come`)
