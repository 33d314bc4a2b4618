/** Builds the console and compares the compressed size of what each screen loads with budget.json. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Metafile } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { buildConsole } from '../bin/console.js'
import { projectRoot } from '../src/platform/project-root.ts'

const budget = JSON.parse(readFileSync(path.join(projectRoot, 'console/budget.json'), 'utf8')) as {
  firstLoadKb: number
  routeKb: number
  builderKb: number
}
const dist = mkdtempSync(path.join(tmpdir(), 'parley-console-'))
afterAll(() => rmSync(dist, { recursive: true }))
const { outputs } = (await buildConsole(projectRoot, dist)) as Metafile

/** Returns the file and everything that the browser loads with it. */
function listLoaded(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known
  known.add(file)
  for (const { path: imported, kind } of outputs[file]?.imports ?? [])
    if (kind === 'import-statement') listLoaded(imported, known)
  return known
}

const getKb = (files: Iterable<string>) =>
  [...files].reduce(
    (sum, file) => sum + statSync(path.join(dist, 'console', `${path.basename(file)}.gz`)).size,
    0,
  ) / 1000

const [main] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'console/main.tsx')!
const first = listLoaded(main)
const [style] = [outputs[main]!.cssBundle!]

test('the inbox loads no more than its budget, in few files', () => {
  // The entry, the start, and the helpers of esbuild.
  expect(first.size).toBeLessThanOrEqual(3)
  expect(getKb([...first, style])).toBeLessThanOrEqual(budget.firstLoadKb)
})

/** The canvas is loaded with the builder; its panels and the arrangement of nodes when they are used. */
const builderEntries = /^part:console\/builder\/(builder-page|canvas\/canvas)\.tsx$/
const routes = Object.entries(outputs).filter(
  ([file, { entryPoint }]) => entryPoint && file.endsWith('.js') && file !== main,
)
const builder = new Set(
  routes
    .filter(([, { entryPoint }]) => builderEntries.test(entryPoint!))
    .flatMap(([file]) => [...listLoaded(file)])
    .filter(file => !first.has(file)),
)

test('the builder adds no more than its budget', () => {
  expect(builder.size).toBeGreaterThan(2)
  expect(getKb(builder)).toBeLessThanOrEqual(budget.builderKb)
})

test('every other screen and language adds no more than its budget', () => {
  const others = routes.filter(([, { entryPoint }]) => !builderEntries.test(entryPoint!))
  expect(others.length).toBeGreaterThan(1)
  const isPanel = (entryPoint: string) => entryPoint.startsWith('part:console/builder/')
  const sizes = others.map(([file, { entryPoint }]) => ({
    screen: entryPoint,
    kb: getKb(
      [...listLoaded(file)].filter(name => !first.has(name) && !(isPanel(entryPoint!) && builder.has(name))),
    ),
  }))
  expect(sizes.filter(({ kb }) => kb > budget.routeKb)).toEqual([])
})

test('no file of a package is in two chunks', () => {
  const chunks = new Map<string, string[]>()
  for (const [file, { inputs }] of Object.entries(outputs))
    for (const [input, { bytesInOutput }] of Object.entries(inputs))
      if (file.endsWith('.js') && bytesInOutput > 0 && input.includes('node_modules'))
        chunks.set(input, [...(chunks.get(input) ?? []), file])
  expect([...chunks].filter(([, files]) => files.length > 1)).toEqual([])
})
