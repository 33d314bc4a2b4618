import type { TObject } from 'typebox'
import Type from 'typebox'
import { everyone } from '../../identity/rights/roles.ts'
import type { TimelineEntry, TimelinePart } from '../../platform/contributions/timeline-parts.ts'
import { cursorList, cursorPage } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { named, variants } from '../../platform/http/schemas.ts'
import { ContactNotFound } from '../errors.ts'
import { getContactTimeline } from '../timeline/timeline.ts'

const route = section('Contacts', { extension: true })

export function contactTimelineRoutes(parts: readonly TimelinePart[]) {
  const schemas = parts.flatMap(part => part.schemas) as [TObject, ...TObject[]]
  const Item = named('ContactTimelineItem', Type.Unsafe<TimelineEntry>(variants('type', schemas)))
  return [
    route('GET /contacts/{id}/timeline', {
      operationId: 'getContactTimeline',
      summary: 'List what happened to a contact, newest first',
      description:
        'Conversations opened and closed, notes, messages of campaigns, journeys, opt-outs, creation and merges. Messages are not listed: read them in the conversation. Entries that need a scope which the caller lacks, and those of conversations that the caller cannot see, are left out. Ignore types that you do not know.',
      access: {
        scopes: ['contact:read'],
        roles: everyone,
        conditionalScopes: parts.flatMap(({ name, scope }) =>
          scope ? [{ when: `the response has ${name}`, scope }] : [],
        ),
      },
      page: cursorPage,
      success: { status: 200, body: cursorList(Item) },
      errors: [ContactNotFound],
      handle: ({ db, caller, params, page }) => getContactTimeline(db, caller, params.id, page, parts),
    }),
  ]
}
