import { contactArchived } from '../../../contacts/events.ts'
import { contactEntry } from '../event-data.ts'
import { defineTrigger } from '../trigger-type.ts'

export const contactArchivedTrigger = defineTrigger({
  type: 'contact_archived',
  summary: 'A contact was archived',
  docs: `Starts when a contact is archived, not when one is deleted. Conditions match only active contacts by default: add
\`archiveStatus\` with \`archived\` to use other conditions with this trigger.`,
  config: {},
  events: [contactArchived.type],
  match: (_config, event) => contactEntry(event),
})
