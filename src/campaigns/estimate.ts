/** Estimates how many recipients a campaign would skip and how long it would take, with the rules of dispatch. */
import { type FieldDefinitions, getFieldDefinitions } from '../contacts/tags-and-fields/custom-fields.ts'
import type { SendableContent } from '../inboxes/content.ts'
import { join, raw, type Sql, sql } from '../platform/db/sql.ts'
import type { Deps } from '../platform/deps.ts'
import type { Caller } from '../platform/http/caller.ts'
import { type Page, toCursorList } from '../platform/http/page.ts'
import type { Placeholder } from '../platform/interpolation/interpolation.ts'
import { selectMatching } from '../segments/search.ts'
import { listPlaceholders } from './personalisation.ts'
import type { SkipReason } from './schemas.ts'
import { buildTerms } from './sending/eligibility.ts'
import { getCampaignShare, minRate } from './sending/rate.ts'
import type { CampaignRow } from './store/campaigns.ts'
import { addressColumns, countByReason, listByReason } from './store/candidates.ts'
import { assertReady } from './validation.ts'

async function loadAudience(deps: Deps, viewer: Caller, campaign: CampaignRow) {
  const { tenantId } = campaign
  const { segment, inbox, content } = await assertReady(deps, campaign, viewer)
  const matching = await selectMatching(deps.db, tenantId, segment.filter, deps.clock.now())
  const definitions = await getFieldDefinitions(deps.db, tenantId)
  const rules = {
    terms: buildTerms(deps, inbox, content),
    isMissing: buildMissingPredicate(content, definitions),
  }
  return { inbox, matching, rules }
}

/** Lists the contacts that the campaign would skip for a reason, or those that would receive it (null). */
export async function listAudience(
  deps: Deps,
  viewer: Caller,
  campaign: CampaignRow,
  reason: SkipReason | null,
  page: Page,
) {
  const { matching, rules } = await loadAudience(deps, viewer, campaign)
  const found = await listByReason(deps.db, campaign.tenantId, matching, rules, {
    reason,
    limit: page.limit + 1,
    before: page.after?.[0],
  })
  const { rows, next } = page.toPage(found, ({ id }) => [id])
  const items = rows.map(({ id, name }) => ({ contactId: id, contactName: name }))
  return toCursorList(items, next)
}

export async function estimateCampaign(deps: Deps, viewer: Caller, campaign: CampaignRow) {
  const { tenantId, sendRate } = campaign
  const { inbox, matching, rules } = await loadAudience(deps, viewer, campaign)
  const counts = await countByReason(deps.db, tenantId, matching, rules)
  const count = (reason: SkipReason | null) => counts.find(row => row.reason === reason)?.n ?? 0
  const sendable = count(null)
  const rate = minRate(sendRate, getCampaignShare(inbox.rate))
  return {
    audienceCount: counts.reduce((sum, { n }) => sum + n, 0),
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

function buildMissingPredicate(content: SendableContent, definitions: FieldDefinitions): Sql {
  const required = listPlaceholders(content).filter(({ placeholder }) => placeholder.fallback === undefined)
  if (required.length === 0) return raw('false')
  return sql`(${join(
    required.map(({ placeholder }) => sql`coalesce(${toColumn(placeholder, definitions)}, '') !~ '\\S'`),
    ' or ',
  )})`
}

function toColumn({ path: [, member, field] }: Placeholder, definitions: FieldDefinitions): Sql {
  if (member === 'id') return raw('k.id')
  if (member === 'name') return raw('k.name')
  if (member === 'email') return raw(`k.fields ->> 'cf_email'`)
  if (member === 'phone') return sql`coalesce(${addressColumns.sms}, k.fields ->> 'cf_phone')`
  const id = definitions.byName.get(field ?? '')?.id
  return id === undefined ? raw('null') : sql`k.fields ->> ${id}::text`
}
