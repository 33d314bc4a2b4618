#!/usr/bin/env node
// Runs the bundled program, bundling it first when the sources have changed: a checkout needs no build step. Loading a
// few files instead of two thousand makes each start a second shorter. They are made aside and moved into place one by
// one, so several may start at once in a fresh checkout: each finds whole files, its own or another's.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const dist = path.join(root, 'dist')
const stamp = path.join(dist, '.built')
const draftPrefix = '.build-'

function end(line) {
  console.error(`parley: ${line}`)
  process.exit(1)
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name))
}

/** Changes with any source that is edited, added or taken away. */
function stateOfSources() {
  const sources = filesIn(path.join(root, 'src')).filter(file => file.endsWith('.ts'))
  const times = [...sources, path.join(root, 'package-lock.json'), path.join(root, 'bin', 'bundle.js')].map(
    file => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  )
  return `${times.length} sources, the newest of ${Math.max(...times)}\n`
}

function isBuilt(state) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === state
}

async function bundleInto(to) {
  const { bundle } = await import('./bundle.js').catch(() =>
    end('its dependencies are not installed: run npm ci'),
  )
  try {
    // What is started as a process of its own has a file of its own.
    bundle(root, ['src/main.ts', 'src/conversations/media/thumbnail-process.ts'], to)
  } catch {
    end('its sources cannot be bundled')
  }
}

async function build(state) {
  mkdirSync(dist, { recursive: true })
  const draft = mkdtempSync(path.join(dist, draftPrefix))
  try {
    await bundleInto(draft)
    // Parts before those that load them.
    const made = readdirSync(draft).sort((a, b) => b.startsWith('part-') - a.startsWith('part-'))
    for (const name of made) renameSync(path.join(draft, name), path.join(dist, name))
    writeFileSync(path.join(draft, 'built'), state)
    renameSync(path.join(draft, 'built'), stamp)
    removeOld(new Set([...made, path.basename(stamp)]))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** What earlier and killed builds have left, after a day: they may be under way, or running and not wholly loaded. */
function removeOld(current) {
  for (const name of readdirSync(dist).filter(each => !current.has(each))) {
    const old = path.join(dist, name)
    const { mtimeMs } = statSync(old, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs < Date.now() - 86_400_000) rmSync(old, { recursive: true, force: true })
  }
}

async function buildIfNeeded() {
  // An installation without sources (an image) is always as fresh as it gets.
  if (!existsSync(path.join(root, 'src'))) return
  const state = stateOfSources()
  if (isBuilt(state)) return
  try {
    await build(state)
  } catch (error) {
    end(
      `it is not built, and ${dist} cannot be written (${error.code}): run npm run build as the owner of that directory`,
    )
  }
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19))
  end(`it needs Node 20.19 or later; this is ${process.versions.node}`)
await buildIfNeeded()
if (process.argv[2] !== '--build-only') await import('../dist/main.js')
