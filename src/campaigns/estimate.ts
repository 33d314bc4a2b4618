/** Estimates how many recipients a campaign would skip and how long it would take, with the rules of dispatch. */
import { type FieldDefinitions, getFieldDefinitions } from '../contacts/tags-and-fields/custom-fields.ts'
import { isContentAllowed } from '../conversations/outbound/messaging-window.ts'
import type { SendableContent } from '../inboxes/content.ts'
import type { InboxRow } from '../inboxes/inboxes.ts'
import { join, raw, type Sql, sql } from '../platform/db/sql.ts'
import type { Deps } from '../platform/deps.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Placeholder } from '../platform/interpolation.ts'
import { selectMatching } from '../segments/search.ts'
import { listPlaceholders } from './personalisation.ts'
import type { SkipReason } from './schemas.ts'
import { getCampaignShare, minRate } from './sending/rate.ts'
import type { CampaignRow } from './store/campaigns.ts'
import { addressColumns, countByReason } from './store/candidates.ts'
import { assertReady } from './validation.ts'

export async function estimateCampaign(deps: Deps, viewer: Caller, campaign: CampaignRow) {
  const { tenantId, sendRate } = campaign
  const { segment, inbox, content } = await assertReady(deps, campaign, viewer)
  const matching = await selectMatching(deps.db, tenantId, segment.filter, deps.clock.now())
  const book = await getFieldDefinitions(deps.db, tenantId)
  const found = await countByReason(deps.db, tenantId, matching, {
    channel: inbox.channel,
    isOpen: buildWindowPredicate(deps, inbox, content),
    isMissing: buildMissingPredicate(content, book),
  })
  const count = (reason: SkipReason | null) => found.find(one => one.reason === reason)?.n ?? 0
  const sendable = count(null)
  const rate = minRate(sendRate, getCampaignShare(inbox.rate))
  return {
    audienceCount: found.reduce((sum, { n }) => sum + n, 0),
    sendable,
    skipped: {
      archived: count('archived'),
      opted_out: count('opted_out'),
      no_identity: count('no_identity'),
      window_closed: count('window_closed'),
      missing_parameter: count('missing_parameter'),
    },
    rate,
    durationSeconds: rate === null ? null : Math.ceil(sendable / rate),
  }
}

/** Where the answer is the same for everybody it is not asked for each. */
function buildWindowPredicate(deps: Deps, inbox: InboxRow, content: SendableContent): Sql {
  const now = deps.clock.now()
  const { channel, tenantId } = inbox
  const alwaysOpen = deps.channels[channel].isLenient
  const state = { channel, alwaysOpen, optedOut: false, inboxActive: true, ownedByUser: false }
  const allows = (lastCustomerAt: string | null) =>
    isContentAllowed({ ...state, lastCustomerAt }, content.type, false, now)
  if (allows(null)) return raw('true')
  const since = new Date(now.getTime() - 24 * 3_600_000).toISOString()
  return sql`exists (
    select from conversation_addresses a
    join conversation_states s on s.tenant_id = a.tenant_id and s.conversation_id = a.conversation_id
    where a.tenant_id = ${tenantId} and a.channel = ${channel} and a.address = ${addressColumns[channel]}
      and s.last_customer_at > ${since}::timestamptz)`
}

function buildMissingPredicate(content: SendableContent, book: FieldDefinitions): Sql {
  const required = listPlaceholders(content).filter(({ place }) => place.fallback === undefined)
  if (required.length === 0) return raw('false')
  return sql`(${join(
    required.map(({ place }) => sql`coalesce(${toColumn(place, book)}, '') !~ '\\S'`),
    ' or ',
  )})`
}

function toColumn({ path: [, member, field] }: Placeholder, book: FieldDefinitions): Sql {
  if (member === 'id') return raw('k.id')
  if (member === 'name') return raw('k.name')
  if (member === 'email') return raw(`k.fields ->> 'cf_email'`)
  if (member === 'phone') return sql`coalesce(${addressColumns.sms}, k.fields ->> 'cf_phone')`
  const id = book.byName.get(field ?? '')?.id
  return id === undefined ? raw('null') : sql`k.fields ->> ${id}::text`
}
