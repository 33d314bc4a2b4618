/** Tests that the errors of runs, and why steps were refused, are explained in German. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { projectRoot } from '../../../src/platform/project-root.ts'
import { language } from '../../i18n/i18n.ts'
import { describeError, explainError } from './run-errors.ts'
import { listFacts } from './step-facts.ts'

afterEach(() => language.set('en'))

const sources = [
  'src/workflows/engine',
  'src/workflows/nodes',
  'src/conversations/outbound/automated-messages.ts',
  'src/conversations/outbound/send-policy.ts',
  'src/platform/outbound/failures.ts',
]
/** Names of a code in the source, and the lists of codes. */
const patterns = [
  /\bcode: '([a-z_]+)', message/g,
  /PermanentStepError\('([a-z_]+)'/g,
  /\brefused: '([a-z_]+)'/g,
  /^ {2}([a-z_]+): 'the /gm,
  /^ {2}\| '([a-z_]+)'/gm,
  /skipped: '([^']+)'/g,
]
/** The call is repeated when the service is back. */
const notShown = ['shut_down']

function listFiles(at: string): string[] {
  const source = path.join(projectRoot, at)
  if (at.endsWith('.ts')) return [source]
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => path.join(source, file))
}

function listCodes(): string[] {
  const texts = sources.flatMap(listFiles).map(file => readFileSync(file, 'utf8'))
  const found = texts.flatMap(text =>
    patterns.flatMap(pattern => [...text.matchAll(pattern)].map(([, code]) => code!)),
  )
  return [...new Set(found)].filter(code => !notShown.includes(code)).sort()
}

test('every code of the engine has a German text, and English texts are those of the service', () => {
  const codes = listCodes()
  expect(codes).toEqual(
    expect.arrayContaining(['no_identity', 'step_failed', 'nobody_available', 'dns_failed']),
  )
  expect(codes.length).toBeGreaterThan(30)
  const message = 'words of the service'
  for (const code of codes) expect(explainError({ code, message })).toBe(message)
  language.set('de')
  expect(codes.filter(code => [message, code].includes(explainError({ code, message })))).toEqual([])
})

test.each([
  [
    'no_identity',
    'the contact has no address on this channel',
    'Der Kontakt hat auf diesem Kanal keine Adresse',
  ],
  ['too_many_steps', 'took 1000 steps', 'Der Durchlauf hat 1000 Schritte gebraucht'],
  ['secret_not_found', 'the secret "shop" was deleted', 'Dieses Geheimnis wurde gelöscht: „shop“'],
  ['expression_failed', 'no such key: x', 'Der Ausdruck konnte nicht berechnet werden: no such key: x'],
  ['of_a_later_release', 'something new', 'something new'],
])('%s: %s', (code, message, german) => {
  language.set('de')
  expect(explainError({ code, message })).toBe(german)
  expect(describeError({ code, message })).toBe(`${code}: ${german}`)
})

describe('facts of a step', () => {
  const list = (detail: object | null, input: object = { type: 'arrived' }) => {
    language.set('de')
    return listFacts({ input, detail: detail as never, output: null })
  }

  test('an error, a refusal and a skipped effect are explained', () => {
    const message = 'the contact has no address on this channel'
    const explained = [['Grund', 'Der Kontakt hat auf diesem Kanal keine Adresse']]
    expect(list({ error: { code: 'no_identity', message, nodeId: 'hello' } })).toEqual(explained)
    expect(list({ code: 'no_identity', message })).toEqual(explained)
    expect(list({ refused: 'nobody_available' })).toEqual([['Grund', 'Niemand im Team ist verfügbar']])
    expect(list({ skipped: 'the tag was deleted' })).toEqual([['Grund', 'Das Tag wurde gelöscht']])
  })

  test('what the step received and did has titles', () => {
    expect(list({ answer: 'Fine' }, { type: 'message', text: 'Fine', replyId: null })).toEqual([
      ['Text', 'Fine'],
      ['Antwort', 'Fine'],
    ])
    expect(list(null, { type: 'delivery', status: 'delivered', code: null })).toEqual([
      ['Status', 'delivered'],
    ])
  })
})
