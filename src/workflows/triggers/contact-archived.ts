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
  docs: `Starts when a contact is archived, not when one is deleted. Conditions match only active contacts by default: add
\`archiveStatus\` with \`archived\` to use other conditions with this trigger.`,
  config: object({ type: Type.Literal('contact_archived'), conditions: Conditions }),
  events: [contactArchived.type],
  match: (_config, event) => contactEntry(event),
})
