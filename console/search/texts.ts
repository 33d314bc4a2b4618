/** The texts of the search page. */
import { screenTexts } from '../i18n/i18n.ts'
import { countIn } from '../i18n/plural.ts'

const count = countIn('en')
const zahl = countIn('de')

const english = {
  text: 'Words',
  hint: 'Words or beginnings of words; all of them must occur.',
  noWords: 'Type a letter or a digit.',
  type: 'Search in',
  types: { message: 'Messages', note: 'Notes' },
  inbox: 'Inbox',
  anyInbox: 'All inboxes',
  sender: 'Written by',
  anyone: 'Anyone',
  senders: {
    customer: 'Customer',
    user: 'User',
    bot: 'Chatbot',
    journey: 'Journey',
    campaign: 'Campaign',
    service: 'Service account',
  },
  from: 'From',
  to: 'To',
  badRange: 'The last day must not be before the first.',
  clear: 'Clear the filter',
  begin: 'Find what was written in any conversation that you can see.',
  nothing: 'Nothing found. Try fewer words, or clear the filter.',
  nothingAtAll: 'Nothing found. Try fewer or other words.',
  results: 'Results',
  found: (n: number, more: boolean) => `${count(n, 'result', 'results')}${more ? ', and more' : ''}`,
  next: 'Next result',
  previous: 'Previous result',
  more: 'Show older ones',
}

export const texts = screenTexts<typeof english>(english, {
  text: 'Wörter',
  hint: 'Wörter oder Wortanfänge; alle müssen vorkommen.',
  noWords: 'Geben Sie einen Buchstaben oder eine Ziffer ein.',
  type: 'Suchen in',
  types: { message: 'Nachrichten', note: 'Notizen' },
  inbox: 'Posteingang',
  anyInbox: 'Alle Posteingänge',
  sender: 'Geschrieben von',
  anyone: 'Egal wem',
  senders: {
    customer: 'Kunde',
    user: 'Person',
    bot: 'Chatbot',
    journey: 'Journey',
    campaign: 'Kampagne',
    service: 'Dienstkonto',
  },
  from: 'Von',
  to: 'Bis',
  badRange: 'Der letzte Tag darf nicht vor dem ersten liegen.',
  clear: 'Filter löschen',
  begin: 'Finden Sie, was in den Unterhaltungen geschrieben wurde, die Sie sehen können.',
  nothing: 'Nichts gefunden. Versuchen Sie weniger Wörter, oder löschen Sie den Filter.',
  nothingAtAll: 'Nichts gefunden. Versuchen Sie weniger oder andere Wörter.',
  results: 'Ergebnisse',
  found: (n, more) => `${zahl(n, 'Ergebnis', 'Ergebnisse')}${more ? ', und weitere' : ''}`,
  next: 'Nächstes Ergebnis',
  previous: 'Voriges Ergebnis',
  more: 'Ältere zeigen',
})
