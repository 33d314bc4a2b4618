#!/usr/bin/env node
// Runs the bundled program, bundling it first if the sources have changed: a checkout needs no build step. Loading a
// few files instead of two thousand makes each start a second shorter. The files are built in a temporary directory
// and moved into place one by one, so that several processes may start concurrently in a fresh checkout.
import { createHash } from 'node:crypto'
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
import { canBuild } from './assets.js'

const root = path.resolve(import.meta.dirname, '..')
const dist = path.join(root, 'dist')
const stamp = path.join(dist, '.built')
const draftPrefix = '.build-'
const builders = ['bundle', 'assets', 'console', 'widget'].map(name => `bin/${name}.js`)

function exit(line) {
  console.error(`parley: ${line}`)
  process.exit(1)
}

function listFiles(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name))
}

/** The programs for browsers, each with the package that it needs. */
const browserParts = [
  { part: 'console', dependency: 'react-dom' },
  { part: 'widget', dependency: 'preact' },
]

const listBuildable = () => browserParts.filter(({ part, dependency }) => canBuild(root, part, dependency))

/**
 * Returns a text that changes whenever a source is edited, added or deleted. It depends on the content only: copies,
 * archives and image layers do not keep exact times.
 */
function fingerprintSources() {
  const sources = ['src', ...browserParts.map(({ part }) => part)]
    .filter(folder => existsSync(path.join(root, folder)))
    .flatMap(folder => listFiles(path.join(root, folder)))
    .filter(file => /\.(tsx?|css|svg)$/.test(file) && !file.endsWith('.test.ts'))
  // An installation that gets the packages of the console or the widget later builds it then.
  const hash = createHash('sha256').update(`${listBuildable().map(({ part }) => part)}\0`)
  for (const file of [
    ...sources,
    ...['package-lock.json', ...builders].map(name => path.join(root, name)),
  ].sort())
    if (existsSync(file))
      hash
        .update(`${path.relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0')
  return `${hash.digest('hex')}\n`
}

function isBuilt(fingerprint) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint
}

async function bundleInto(folder) {
  const { bundleAsync, stopBundling } = await import('./bundle.js').catch(() =>
    exit('the dependencies are not installed: run npm ci'),
  )
  try {
    // Each program that runs as its own process or thread is an entry point.
    const threads = [
      'src/conversations/media/thumbnail-process.ts',
      'src/workflows/expressions/evaluation-thread.ts',
    ]
    const program = bundleAsync(root, ['src/main.ts', ...threads], folder)
    await Promise.all([program, ...listBuildable().map(buildPart)])
    await stopBundling()
  } catch {
    exit('the sources cannot be bundled')
  }
}

async function buildPart({ part }) {
  if (part === 'console') await (await import('./console.js')).buildConsole(root, dist)
  else await (await import('./widget.js')).buildWidget(root, dist)
}

async function build(fingerprint) {
  mkdirSync(dist, { recursive: true })
  const draft = mkdtempSync(path.join(dist, draftPrefix))
  try {
    await bundleInto(draft)
    // Chunks before the files that import them.
    const files = readdirSync(draft).sort((a, b) => b.startsWith('part-') - a.startsWith('part-'))
    for (const name of files) renameSync(path.join(draft, name), path.join(dist, name))
    writeFileSync(path.join(draft, 'built'), fingerprint)
    renameSync(path.join(draft, 'built'), stamp)
    removeOld(new Set([...files, path.basename(stamp), ...browserParts.map(({ part }) => part)]))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Deletes files of earlier builds after a day: until then a running process may still import them. */
function removeOld(current) {
  for (const name of readdirSync(dist).filter(file => !current.has(file))) {
    const old = path.join(dist, name)
    const { mtimeMs } = statSync(old, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs < Date.now() - 86_400_000) rmSync(old, { recursive: true, force: true })
  }
}

async function buildIfNeeded() {
  // An installation without sources (an image) has only its bundle.
  if (!existsSync(path.join(root, 'src'))) {
    if (!existsSync(path.join(dist, 'main.js'))) exit(`there are neither sources nor a bundle in ${root}`)
    return
  }
  const fingerprint = fingerprintSources()
  if (isBuilt(fingerprint)) return
  try {
    await build(fingerprint)
  } catch (error) {
    exit(
      `the program is not built, and ${dist} is not writable (${error.code}): run npm run build as the owner of that directory`,
    )
  }
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19))
  exit(`Node 20.19 or later is required; this is ${process.versions.node}`)
await buildIfNeeded()
if (process.argv[2] !== '--build-only') await import('../dist/main.js')
