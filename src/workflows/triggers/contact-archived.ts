import Type from 'typebox'
import { contactArchived } from '../../contacts/events.ts'
import { object } from '../../platform/http/schemas.ts'
import { Conditions } from './conditions.ts'
import { contactEntry } from './event-data.ts'
import { defineTrigger } from './trigger-type.ts'

export const contactArchivedTrigger = defineTrigger({
  type: 'contact_archived',
  kinds: ['journey'],
  summary: 'A contact was archived',
  docs: `A contact was archived. One that was deleted is gone, so no run can be about it. Conditions mean active contacts
unless they say otherwise: to use any, add \`archiveStatus\` with \`archived\`.`,
  config: object({ type: Type.Literal('contact_archived'), conditions: Conditions }),
  events: [contactArchived.type],
  match: (_config, event) => contactEntry(event),
})
