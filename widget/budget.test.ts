/** Builds the widget and compares the compressed size of what visitors load with budget.json. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildWidget } from '../bin/widget.js'
import { projectRoot } from '../src/platform/project-root.ts'

const budget = JSON.parse(readFileSync(path.join(projectRoot, 'widget/budget.json'), 'utf8')) as {
  loaderKb: number
  frameKb: number
}
const dist = mkdtempSync(path.join(tmpdir(), 'parley-widget-'))
afterAll(() => rmSync(dist, { recursive: true }))
const { outputs } = await buildWidget(projectRoot, dist)

const getKb = (file: string) => statSync(path.join(dist, 'widget', `${path.basename(file)}.gz`)).size / 1000
const findOutput = (entry: string) =>
  Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)!

test.each(['script', 'module'])('the loader as a %s is no larger than its budget', name => {
  const [file, { imports }] = findOutput(`widget/loader/${name}.ts`)
  expect(imports).toEqual([])
  expect(getKb(file)).toBeLessThanOrEqual(budget.loaderKb)
})

test('the frame with its styles and its largest language is no larger than its budget', () => {
  const [file, { cssBundle, imports }] = findOutput('widget/frame/main.tsx')
  const listKb = (kind: string) => imports.filter(item => item.kind === kind).map(item => getKb(item.path))
  const languages = listKb('dynamic-import')
  expect(languages.length).toBeGreaterThan(1)
  const shared = listKb('import-statement').reduce((sum, kb) => sum + kb, 0)
  expect(getKb(file) + getKb(cssBundle!) + shared + Math.max(...languages)).toBeLessThanOrEqual(
    budget.frameKb,
  )
})
