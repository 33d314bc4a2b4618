// Runs the service and builds the console or the widget again whenever one of its files changes: reload the page to see
// the change.
import { watch } from 'node:fs'
import path from 'node:path'
import { buildConsole } from './console.js'
import { buildWidget } from './widget.js'

const root = path.resolve(import.meta.dirname, '..')
/** An editor writes a file in several steps. */
const quietMs = 50

function rebuildOnChange(part, build) {
  let timer
  let isBuilding = false
  let isChanged = false
  const rebuild = async () => {
    if (isBuilding) return
    isBuilding = true
    while (isChanged) {
      isChanged = false
      const startedAt = Date.now()
      await build(root, path.join(root, 'dist')).then(
        () => console.log(`${part} built in ${Date.now() - startedAt} ms`),
        // esbuild has printed the errors; the last build is still served.
        () => console.log(`${part} not built`),
      )
    }
    isBuilding = false
  }
  watch(path.join(root, part), { recursive: true }, () => {
    isChanged = true
    clearTimeout(timer)
    timer = setTimeout(rebuild, quietMs)
  })
}

rebuildOnChange('console', buildConsole)
rebuildOnChange('widget', buildWidget)

process.env.CONSOLE = 'development'
process.argv.splice(2, 1, 'serve')
await import('./parley.js')
