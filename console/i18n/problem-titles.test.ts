/** Tests that a problem of the API is explained in German, whatever its code. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/project-root.ts'
import { workflowProblems } from '../../src/workflows/errors.ts'
import { problemTitles } from './problem-titles-de.ts'

/** The console has a sentence of its own for these statuses, without regard to the code. */
const hasOwnSentence = (status: number) => status === 403 || status === 404 || status >= 500

function listKinds(): { status: number; code: string }[] {
  const folder = path.join(projectRoot, 'src')
  const named = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap(file => [
      ...readFileSync(path.join(folder, file), 'utf8').matchAll(/problemKind\(\s*(\d{3}),\s*'([a-z_]+)'/g),
    ])
    .map(([, status, code]) => ({ status: Number(status), code: code! }))
  return [...named, ...Object.values(workflowProblems).flatMap(kinds => Object.values(kinds))]
}

test('every problem of the API has a German title, and every title belongs to a code in use', () => {
  const codes = listKinds()
    .filter(({ status }) => !hasOwnSentence(status))
    .map(({ code }) => code)
  expect(codes.length).toBeGreaterThan(60)
  expect([...new Set(codes)].sort()).toEqual(Object.keys(problemTitles).sort())
})
