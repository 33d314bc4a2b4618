/** Checks that the resources a definition references exist. Each missing resource is a violation with its path. */
import {
  findExistingTagsAndFields,
  getFieldDefinitions,
} from '../../contacts/tags-and-fields/custom-fields.ts'
import { findMedia } from '../../conversations/media/media.ts'
import { listTeams } from '../../identity/teams.ts'
import { findUser } from '../../identity/users/users.ts'
import { listInboxes } from '../../inboxes/inboxes.ts'
import { findClosest } from '../../platform/closest.ts'
import type { Queryable } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { type Violation, violation } from '../../platform/errors.ts'
import { findSegment } from '../../segments/segments.ts'
import type { LocatedReference, Reference } from '../nodes/node-type.ts'
import { listSecrets } from '../store/secrets.ts'
import { findWorkflow } from '../store/workflows.ts'
import { contentViolations } from './content-checks.ts'

/** A port of the campaigns domain, which workflows cannot import. */
export type CampaignExists = (on: Queryable, tenantId: string, id: string) => Promise<boolean>

type ExistenceCheck = (id: string) => Promise<boolean>

/** Kinds without a check are validated elsewhere. */
function buildExistenceChecks(
  { db }: Deps,
  tenantId: string,
  campaignExists: CampaignExists,
): Partial<Record<Reference['kind'], ExistenceCheck>> {
  const teams = once(async () => new Set((await listTeams(db, tenantId)).map(team => team.id)))
  const inboxes = once(async () => new Set((await listInboxes(db, tenantId)).map(inbox => inbox.id)))
  const secrets = once(async () => new Set((await listSecrets(db, tenantId)).map(secret => secret.name)))
  const workflow = (kind: 'journey' | 'chatbot') => async (id: string) =>
    (await findWorkflow(db, tenantId, kind, id)) !== undefined
  return {
    segment: async id => (await findSegment(db, tenantId, id)) !== undefined,
    inbox: async id => (await inboxes()).has(id),
    secret: async name => (await secrets()).has(name),
    team: async id => (await teams()).has(id),
    user: async id => (await findUser(db, tenantId, id))?.disabled === false,
    journey: workflow('journey'),
    chatbot: workflow('chatbot'),
    campaign: id => campaignExists(db, tenantId, id),
    media: async id => ['ready', 'pending'].includes((await findMedia(db, tenantId, id))?.status ?? ''),
  }
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

export async function referenceViolations(
  deps: Deps,
  tenantId: string,
  located: readonly LocatedReference[],
  campaignExists: CampaignExists,
): Promise<Violation[]> {
  const checks = buildExistenceChecks(deps, tenantId, campaignExists)
  const violations: Violation[] = await tagAndFieldViolations(deps, tenantId, located)
  for (const item of located) {
    const { kind, id, path } = item.reference
    const at = `${item.at}.${path}`
    if (kind === 'url') violations.push(...urlViolations(deps, id, at))
    else if (kind === 'template' || kind === 'flow')
      violations.push(...(await contentViolations(deps, tenantId, item)))
    else if (checks[kind] && !(await checks[kind](id)))
      violations.push(violation(at, `unknown_${kind}`, describeMissing(kind)))
    else if (kind === 'inbox') violations.push(...(await contentViolations(deps, tenantId, item)))
  }
  return violations
}

function describeMissing(kind: Reference['kind']): string {
  if (kind === 'user') return 'is not an enabled user of this workspace'
  if (kind === 'secret') return 'is not a secret of this workspace; create it with PUT /secrets/{name}'
  if (kind === 'media') return 'is not media of this workspace'
  return `is not ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} of this workspace`
}

async function tagAndFieldViolations(
  { db }: Deps,
  tenantId: string,
  located: readonly LocatedReference[],
): Promise<Violation[]> {
  const listIds = (kind: Reference['kind']) =>
    located.flatMap(({ reference }) => (reference.kind === kind ? [reference.id] : []))
  const { tags, fields } = await findExistingTagsAndFields(db, tenantId, listIds('tag'), listIds('field'))
  const isComplete = listIds('field').every(id => fields.has(id))
  const definitions = isComplete ? [] : [...(await getFieldDefinitions(db, tenantId)).byId]
  return located.flatMap(({ at, reference: { kind, id, path, fieldType } }) => {
    const field = `${at}.${path}`
    if (kind === 'tag' && !tags.has(id))
      return [violation(field, 'unknown_tag', 'is not a tag of this workspace')]
    if (kind !== 'field') return []
    const type = fields.get(id)
    if (type === undefined)
      return [violation(field, 'unknown_custom_field', describeUnknownField(id, definitions))]
    return fieldType === undefined || fieldType === type
      ? []
      : [violation(field, 'wrong_field_type', `must be a ${fieldType} field, not a ${type} field`)]
  })
}

/** Suggests the id of the field whose id or name is most similar. */
function describeUnknownField(
  given: string,
  definitions: readonly (readonly [id: string, field: { name: string }])[],
): string {
  const ids = new Map(definitions.flatMap(([id, { name }]) => [[id, id] as const, [name, id] as const]))
  const closest = findClosest(given, ids.keys())
  const suggestion = closest === undefined ? '' : `; did you mean "${ids.get(closest)}" (${closest})?`
  return `is not a custom field of this workspace${suggestion}`
}

function urlViolations({ outbound }: Deps, url: string, at: string): Violation[] {
  const checked = outbound.checkUrl(url)
  return checked.ok ? [] : [violation(at, checked.code, checked.message)]
}
