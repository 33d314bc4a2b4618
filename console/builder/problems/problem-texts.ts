/** The reasons of problems in a definition, in the user's language. */
import type { Violation } from '../../api/errors.ts'
import { language, t } from '../../i18n/i18n.ts'
import { nameOutput } from '../texts.ts'

/** Returns the outputs as they are named on the canvas. */
function nameOutputs(message: string, locale: string): string {
  const outputs = /leaves by ([^:]*)/.exec(message)?.[1]?.split(/, or |, | or /) ?? []
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(outputs.map(nameOutput))
}

/** Returns why the value is a problem. The field is named elsewhere. */
export function describeReason(reason: Pick<Violation, 'code' | 'message'>): string {
  const { code, message } = reason
  if (code !== 'undelivered_ends_run') return t.describeReason(reason)
  return language.get() === 'de'
    ? `Keine Verbindung führt von „${nameOutputs(message, 'de')}“ weg: Ein Durchlauf, der seine Nachricht nicht zustellen kann, endet hier.`
    : `No edge leaves by “${nameOutputs(message, 'en-GB')}”: a run that cannot deliver its message ends here.`
}
