/** Tests that every reason to refuse a value is worded in German. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/project-root.ts'
import { describeReasonInGerman } from './reasons-de.ts'

/** Names outputs by their titles: the builder words it. */
const ofBuilder = 'undelivered_ends_run'

/** Returns the codes that the source of the checks names. */
function listCodes(): string[] {
  const folder = path.join(projectRoot, 'src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(file =>
    path.join(folder, file),
  )
  const codes = files
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap(file => {
      const source = readFileSync(file, 'utf8')
      return [...source.matchAll(/violation\(\s*(?:[^,()]|\([^()]*\))+,\s*'([a-z_]+)'/g)].map(
        ([, code]) => code!,
      )
    })
  return [...new Set(codes)].filter(code => code !== ofBuilder).sort()
}

test('every code of the checks has a German text', () => {
  const codes = listCodes()
  expect(codes.length).toBeGreaterThan(90)
  const message = 'words of the service'
  expect(codes.filter(code => describeReasonInGerman({ code, message }) === message)).toEqual([])
})

test.each([
  ['required', 'is required', 'fehlt'],
  ['too_long', 'must have at most 40 characters', 'höchstens 40 Zeichen'],
  ['invalid_value', 'must be one of once, every_time', 'muss einer dieser Werte sein: once, every_time'],
  [
    'unknown_contact_field',
    'contact has no field "nme"; did you mean "name"?',
    'Kontakte haben kein Feld „nme“; meinten Sie „name“?',
  ],
  [
    'loop_without_wait',
    'must not be in a loop without a wait: "a", "b"',
    'ist Teil einer Schleife, in der nichts wartet: „a“, „b“',
  ],
  [
    'invalid_expression',
    'must be true or false, but its type is "string"',
    'Der Ausdruck muss wahr oder falsch ergeben, ist aber vom Typ „string“',
  ],
  [
    'invalid_expression',
    'cannot be read: Unexpected token',
    'ungültiger Ausdruck: cannot be read: Unexpected token',
  ],
  [
    'missing_scope',
    'the http node "h" needs the scope secret:use',
    'Dazu fehlt Ihnen die Berechtigung secret:use',
  ],
  ['of_another_release', 'must be new', 'must be new'],
])('%s names what the service names: %s', (code, message, german) => {
  expect(describeReasonInGerman({ code, message })).toBe(german)
})
