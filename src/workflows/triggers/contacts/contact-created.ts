import Type from 'typebox'
import { contactCreated } from '../../../contacts/events.ts'
import { contactEntry } from '../event-data.ts'
import { defineTrigger } from '../trigger-type.ts'

export const contactCreatedTrigger = defineTrigger({
  type: 'contact_created',
  summary: 'A contact was created',
  docs: `Starts for contacts created by a user, through the API, or by a customer's first message. Imported contacts enter only
with \`includeImported\`.`,
  config: { includeImported: Type.Optional(Type.Boolean()) },
  events: [contactCreated.type],
  includesImported: config => config.includeImported === true,
  match: (_config, event) => contactEntry(event),
})
