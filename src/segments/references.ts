/**
 * Checks that the tags, custom fields, journeys and campaigns of a filter exist, and that the caller may read the journeys
 * and campaigns. Each reference that is not is a violation with its path.
 */

import type { FieldType } from '../contacts/schemas.ts'
import { findExistingTagsAndFields, lockFieldTypes } from '../contacts/tags-and-fields/custom-fields.ts'
import { lockTags } from '../contacts/tags-and-fields/tags.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import { invalid, type Violation, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Reference } from './filter/condition.ts'
import { type ContactFilter, filterReferences, filterViolations } from './filter/filter.ts'
import { findVisibleJourneysAndCampaigns } from './store/subjects.ts'

interface ExistingReferences {
  tags: ReadonlySet<string>
  fields: ReadonlyMap<string, FieldType>
  journeys: ReadonlySet<string>
  campaigns: ReadonlySet<string>
}

const scopes: Partial<Record<Reference['kind'], string>> = {
  journey: 'journey:read',
  campaign: 'campaign:read',
}

function referenceViolations(
  { kind, id, path, fieldType }: Reference,
  existing: ExistingReferences,
  caller: Caller,
): Violation[] {
  const scope = scopes[kind]
  if (scope && !caller.scopes.has(scope))
    return [violation(path, 'missing_scope', `needs the scope ${scope}`)]
  if (kind === 'tag')
    return existing.tags.has(id) ? [] : [violation(path, 'unknown_tag', 'is not a tag of this workspace')]
  if (kind === 'journey')
    return existing.journeys.has(id)
      ? []
      : [violation(path, 'unknown_journey', 'is not a journey of this workspace')]
  if (kind === 'campaign')
    return existing.campaigns.has(id)
      ? []
      : [violation(path, 'unknown_campaign', 'is not a campaign of this workspace')]
  const type = existing.fields.get(id)
  if (type === undefined)
    return [violation(path, 'unknown_custom_field', 'is not a custom field of contacts')]
  if (fieldType === undefined || type === fieldType) return []
  return [
    violation(path, 'wrong_field_type', `is a ${type} field; this condition needs a ${fieldType} field`),
  ]
}

function assertValid(
  filter: ContactFilter,
  path: string,
  references: readonly Reference[],
  existing: ExistingReferences,
  caller: Caller,
): void {
  const violations = [
    ...filterViolations(filter, path),
    ...references.flatMap(reference => referenceViolations(reference, existing, caller)),
  ]
  if (violations.length > 0) invalid(...violations)
}

function listIds(references: readonly Reference[], kind: Reference['kind']): string[] {
  return references.filter(reference => reference.kind === kind).map(reference => reference.id)
}

/** A deleted journey or campaign changes no segment, so these are not locked. */
function findOthers(on: Queryable, caller: Caller, references: readonly Reference[]) {
  const [journeyIds, campaignIds] = [listIds(references, 'journey'), listIds(references, 'campaign')]
  return findVisibleJourneysAndCampaigns(on, caller, journeyIds, campaignIds)
}

/** Fails with 400 unless the filter is valid now. */
export async function checkFilter(
  on: Queryable,
  caller: Caller,
  filter: ContactFilter,
  path = 'filter',
): Promise<void> {
  const references = filterReferences(filter, path)
  const existing = await findExistingTagsAndFields(
    on,
    caller.tenantId,
    listIds(references, 'tag'),
    listIds(references, 'field'),
  )
  const others = await findOthers(on, caller, references)
  assertValid(filter, path, references, { ...existing, ...others }, caller)
}

/** Checks a filter before it is saved and locks its tags and fields against deletion until the commit. */
export async function lockFilterReferences(
  tx: Tx,
  caller: Caller,
  filter: ContactFilter,
  path = 'filter',
): Promise<void> {
  const references = filterReferences(filter, path)
  const tags = await lockTags(tx, caller.tenantId, listIds(references, 'tag'))
  const fields = await lockFieldTypes(tx, caller.tenantId, listIds(references, 'field'))
  const others = await findOthers(tx, caller, references)
  assertValid(filter, path, references, { tags, fields, ...others }, caller)
}
