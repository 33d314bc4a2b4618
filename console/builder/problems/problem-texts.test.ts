/** Tests the reason that names outputs by their titles; the others are those of console/i18n/reasons-de.ts. */
import { afterEach, expect, test } from 'vitest'
import { language } from '../../i18n/i18n.ts'
import { describeReason } from './problem-texts.ts'

afterEach(() => language.set('en'))

test('outputs are named by their titles', () => {
  const code = 'undelivered_ends_run'
  const message =
    'no edge leaves by failed, windowClosed, or optedOut: a run that cannot deliver its message ends there'
  expect(describeReason({ code, message })).toBe(
    'No edge leaves by “failed, window closed or opted out”: a run that cannot deliver its message ends here.',
  )
  language.set('de')
  expect(describeReason({ code, message })).toBe(
    'Keine Verbindung führt von „fehlgeschlagen, Fenster geschlossen oder abgemeldet“ weg: ' +
      'Ein Durchlauf, der seine Nachricht nicht zustellen kann, endet hier.',
  )
})
