import Type from 'typebox'
import { type ContactChanges, contactUpdated } from '../../../contacts/events.ts'
import { contactEntry } from '../event-data.ts'
import { defineTrigger } from '../trigger-type.ts'

const members = ['name', 'phone', 'tags']

/** Returns the names of the changed properties, as used in `fields`. */
export function getChangedNames(changes: ContactChanges): string[] {
  const tags = (changes.addedTagIds?.length ?? 0) + (changes.removedTagIds?.length ?? 0) > 0
  return [
    ...(changes.name ? ['name'] : []),
    ...(changes.phone ? ['phone'] : []),
    ...(tags ? ['tags'] : []),
    ...(changes.fieldIds ?? []),
  ]
}

export const contactUpdatedTrigger = defineTrigger({
  type: 'contact_updated',
  summary: 'A contact was updated',
  docs: `Starts when a contact changes. With \`fields\`, only if one of them changed: \`name\`, \`phone\`, \`tags\`, or the id of a
custom field. The run reads the names of the changed fields as \`event.changed\`.`,
  config: {
    fields: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 50 }),
    ),
  },
  references: ({ fields = [] }) =>
    fields.flatMap((id, i) =>
      members.includes(id) ? [] : [{ kind: 'field' as const, id, path: `fields[${i}]` }],
    ),
  events: [contactUpdated.type],
  match: ({ fields }, event) => {
    const changed = getChangedNames((event.data as { contactChanges: ContactChanges }).contactChanges)
    const wanted = !fields || fields.some(field => changed.includes(field))
    return wanted ? contactEntry(event, { changed }) : undefined
  },
})
