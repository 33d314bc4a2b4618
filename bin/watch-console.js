// Runs the service and builds the console again whenever one of its files changes: reload the page to see the change.
import { watch } from 'node:fs'
import path from 'node:path'
import { buildConsole } from './console.js'

const root = path.resolve(import.meta.dirname, '..')
/** An editor writes a file in several steps. */
const quietMs = 50

let timer
let isBuilding = false
let isChanged = false

async function build() {
  if (isBuilding) return
  isBuilding = true
  while (isChanged) {
    isChanged = false
    const startedAt = Date.now()
    await buildConsole(root, path.join(root, 'dist')).then(
      () => console.log(`console built in ${Date.now() - startedAt} ms`),
      // esbuild has printed the errors; the last build is still served.
      () => console.log('console not built'),
    )
  }
  isBuilding = false
}

watch(path.join(root, 'console'), { recursive: true }, () => {
  isChanged = true
  clearTimeout(timer)
  timer = setTimeout(build, quietMs)
})

process.env.CONSOLE = 'development'
process.argv.splice(2, 1, 'serve')
await import('./parley.js')
