/** The texts of the pages about labels, tags and custom fields. */
import { screenTexts } from '../../i18n/i18n.ts'
import { countIn } from '../../i18n/plural.ts'

const countEn = countIn('en')
const countDe = countIn('de')

const en = {
  kinds: {
    label: {
      hint: 'Labels mark conversations, so that the inbox can be filtered by them.',
      none: 'No labels yet.',
      create: 'New label',
      effects: ['It is removed from all conversations.'],
    },
    tag: {
      hint: 'Tags mark contacts, for segments, campaigns and journeys.',
      none: 'No tags yet.',
      create: 'New tag',
      effects: [
        'It is removed from all contacts and segments.',
        'Journeys and chatbots that use it name it as missing.',
      ],
    },
    field: {
      hint: 'Custom fields hold what you know about contacts, for segments and messages.',
      none: 'No custom fields yet.',
      create: 'New custom field',
      effects: ['Its values are deleted from all contacts, and it is removed from segments.'],
    },
  },
  color: 'Colour',
  type: 'Type',
  types: { text: 'Text', date: 'Date' },
  typeHint: 'The type cannot be changed later.',
  predefined: 'Predefined',
  contacts: (n: number) => countEn(n, 'contact', 'contacts'),
  nameTaken: 'This name is in use.',
}

const de: typeof en = {
  kinds: {
    label: {
      hint: 'Labels kennzeichnen Unterhaltungen, damit der Posteingang nach ihnen gefiltert werden kann.',
      none: 'Noch keine Labels.',
      create: 'Neues Label',
      effects: ['Es wird von allen Unterhaltungen entfernt.'],
    },
    tag: {
      hint: 'Tags kennzeichnen Kontakte, für Segmente, Kampagnen und Journeys.',
      none: 'Noch keine Tags.',
      create: 'Neuer Tag',
      effects: [
        'Er wird von allen Kontakten und aus Segmenten entfernt.',
        'Journeys und Chatbots, die ihn benutzen, melden ihn als fehlend.',
      ],
    },
    field: {
      hint: 'Eigene Felder enthalten, was Sie über Kontakte wissen, für Segmente und Nachrichten.',
      none: 'Noch keine eigenen Felder.',
      create: 'Neues Feld',
      effects: ['Seine Werte werden bei allen Kontakten gelöscht, und es wird aus Segmenten entfernt.'],
    },
  },
  color: 'Farbe',
  type: 'Typ',
  types: { text: 'Text', date: 'Datum' },
  typeHint: 'Der Typ kann später nicht geändert werden.',
  predefined: 'Vorgegeben',
  contacts: n => countDe(n, 'Kontakt', 'Kontakte'),
  nameTaken: 'Dieser Name ist vergeben.',
}

export const texts = screenTexts(en, de)
