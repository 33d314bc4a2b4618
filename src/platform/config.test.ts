import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listSettings } from '../../test/harness/settings.ts'
import { projectRoot } from './project-root.ts'

const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8')
const settings = [...listSettings()].sort()

test('docs/configuration.md has a line for each setting, and for no other', () => {
  const cells = [...read('docs/configuration.md').matchAll(/^\| (`[^|]+`) \|/gm)].map(match => match[1]!)
  const documented = cells.flatMap(cell => [...cell.matchAll(/`([A-Z0-9_]+)`/g)].map(match => match[1]!))
  expect(documented.sort()).toEqual(settings)
})

test('.env.example has each setting, and no other', () => {
  const names = [...read('.env.example').matchAll(/^#([A-Z0-9_]+)=/gm)].map(match => match[1]!)
  expect(names.sort()).toEqual(settings)
})
