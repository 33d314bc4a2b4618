/**
 * Finds statements that write rows of workspaces without naming one, such as those of crons: they must leave out workspaces
 * that move, or they would fail for all because of one, and change rows that have arrived before they count.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findTreatment, listTreated } from './tables.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** Files with such statements that write rows of one workspace, or of given rows, after all. */
const exempt: Readonly<Record<string, string>> = {
  'realtime/store.ts': 'the ticket of a caller',
  'contacts/store/activity.ts': 'a select of the caller',
  'identity/store/auth-sessions.ts': 'the token of a caller',
  'identity/store/invitations.ts': 'the token of a caller',
  'identity/store/password-resets.ts': 'the token of a caller',
  'identity/store/tenants.ts': 'one workspace',
  'platform/jobs/store/dead-letters.ts': 'the filter of an operator',
  'workflows/store/runs/run-columns.ts': 'rows that were read',
  'workflows/store/runs/runs.ts': 'rows that were read',
}

const moved = listTreated().filter(name => findTreatment(name)?.isFenced)
const writes = new RegExp(`\\b(?:delete from|update|insert into)\\s+(?:${moved.join('|')})\\b`)
const namesWorkspace = /\$\{[^}]*tenant/i
const sweeps = /\b(?:delete from|update)\b.*\b(?:limit|[<>]=? \$\{)/

function* listStatements(): Generator<{ file: string; text: string }> {
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.includes('testing/')) continue
    if (file.startsWith('server/cells/move')) continue
    for (const [, text] of readFileSync(path.join(root, file), 'utf8').matchAll(/\bsql`((?:[^`\\]|\\.)*)`/gs))
      yield { file, text: text!.replace(/\s+/g, ' ').trim() }
  }
}

/** In exempt files too, a statement that looks for rows by time or in batches is for all workspaces. */
const listUnattended = () =>
  [...listStatements()].filter(
    ({ file, text }) =>
      writes.test(text) &&
      !text.includes('notMoving(') &&
      !namesWorkspace.test(text) &&
      !(file in exempt && (!sweeps.test(text) || /hash = |toCondition/.test(text))),
  )

test('statements that write for all workspaces leave out those that move', () => {
  expect(listUnattended().map(({ file, text }) => `${file}: ${text}`)).toEqual([])
  expect([...listStatements()].filter(({ text }) => text.includes('notMoving(')).length).toBeGreaterThan(20)
})
