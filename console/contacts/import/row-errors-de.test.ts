/** Tests that the errors of rows have a German text, with the names and limits of the service. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../src/platform/project-root.ts'
import { describeRowErrorInGerman as describe } from './row-errors-de.ts'

/** Of requests that the console does not make. */
const others = /^(must be a JSON array|must be true or false|the files of imports)/

/** Returns the messages in the sources of the import, with 1 in place of a value. */
function listMessages(): string[] {
  const folder = path.join(projectRoot, 'src/contacts/import')
  const files = readdirSync(folder).filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return files
    .flatMap(name => [
      ...readFileSync(path.join(folder, name), 'utf8').matchAll(
        /['`]((?:is|has|must|belongs|matches|a|the|there) [^'`\n]+)['`]/g,
      ),
    ])
    .map(([, message]) => message!.replace(/\$\{[^}]*\}/g, '1'))
    .filter(message => !others.test(message))
}

test('every message of the import has a German text', () => {
  const messages = listMessages()
  expect(messages.length).toBeGreaterThan(20)
  expect(messages.filter(message => describe(message) === message)).toEqual([])
})

test('names and limits are those of the service', () => {
  expect(describe('the row has 4 cells, the header has 2')).toBe('Die Zeile hat 4 Zellen, die Kopfzeile 2')
  expect(describe('the tag "vip" does not exist and your token lacks tag:create')).toBe(
    'Das Tag „vip“ gibt es nicht, und Sie dürfen keine Tags anlegen',
  )
  expect(describe('something new')).toBe('something new')
})
