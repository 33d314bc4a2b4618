/** Tests that every reason that publishing can have is worded in German. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/project-root.ts'
import { language } from '../i18n/i18n.ts'
import { describeReason } from './problem-texts.ts'

afterEach(() => language.set('en'))

const folders = [
  'src/workflows/definition',
  'src/workflows/nodes',
  'src/workflows/triggers',
  'src/platform/http/input',
]

/** Returns the codes that the source of the checks names. */
function listCodes(): string[] {
  const files = folders.flatMap(folder =>
    readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map(file =>
      path.join(projectRoot, folder, file),
    ),
  )
  const codes = files
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap(file => {
      const source = readFileSync(file, 'utf8')
      return [...source.matchAll(/violation\(\s*[^,()]+,\s*'([a-z_]+)'/g)].map(([, code]) => code!)
    })
  return [...new Set(codes)].sort()
}

test('every code of the checks has a German text, and English texts are those of the service', () => {
  const codes = listCodes()
  expect(codes.length).toBeGreaterThan(25)
  const message = 'words of the service'
  for (const code of codes) expect(describeReason({ code, message })).toBe(message)
  language.set('de')
  expect(codes.filter(code => describeReason({ code, message }) === message)).toEqual([])
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
    'missing_scope',
    'the http node "h" needs the scope secret:use',
    'Dazu fehlt Ihnen die Berechtigung secret:use',
  ],
  [
    'undelivered_ends_run',
    'no edge leaves by failed, windowClosed, or optedOut: a run that cannot deliver its message ends there',
    'Keine Verbindung führt von „fehlgeschlagen, Fenster geschlossen oder abgemeldet“ weg: ' +
      'Ein Durchlauf, der seine Nachricht nicht zustellen kann, endet hier.',
  ],
  ['of_another_release', 'must be new', 'must be new'],
])('%s names what the service names: %s', (code, message, german) => {
  language.set('de')
  expect(describeReason({ code, message })).toBe(german)
})
