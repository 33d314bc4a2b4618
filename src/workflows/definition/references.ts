/** What a drawing speaks of must exist when it is published: each that does not is a fault with its path. */
import { findExistingTagsAndFields } from '../../contacts/tags-and-fields/find-existing.ts'
import { findMedia } from '../../conversations/media/media.ts'
import { listTeams } from '../../identity/teams.ts'
import { findUser } from '../../identity/users.ts'
import { listInboxes } from '../../inboxes/inboxes.ts'
import type { Deps } from '../../platform/deps.ts'
import { type Violation, violation } from '../../platform/errors.ts'
import { findSegment } from '../../segments/segments.ts'
import type { Reference } from '../nodes/node-type.ts'
import { campaignExists } from '../outside.ts'
import { findWorkflow } from '../store/workflows.ts'
import { contentViolations } from './content-checks.ts'

/** A reference with what it stands in: the data of a node, or a trigger. */
export interface LocatedReference {
  reference: Reference
  /** The path of the data. */
  at: string
  data: Record<string, unknown>
}

/** Whether something of this kind is there; undefined for what is looked at elsewhere. */
type ExistenceCheck = (id: string) => Promise<boolean>

function buildExistenceChecks(
  { db }: Deps,
  tenantId: string,
): Partial<Record<Reference['kind'], ExistenceCheck>> {
  const teams = once(async () => new Set((await listTeams(db, tenantId)).map(team => team.id)))
  const inboxes = once(async () => new Set((await listInboxes(db, tenantId)).map(inbox => inbox.id)))
  const workflow = (kind: 'journey' | 'chatbot') => async (id: string) =>
    (await findWorkflow(db, tenantId, kind, id)) !== undefined
  return {
    segment: async id => (await findSegment(db, tenantId, id)) !== undefined,
    inbox: async id => (await inboxes()).has(id),
    team: async id => (await teams()).has(id),
    user: async id => (await findUser(db, tenantId, id))?.disabled === false,
    journey: workflow('journey'),
    chatbot: workflow('chatbot'),
    campaign: id => campaignExists(db, tenantId, id),
    media: async id => ['ready', 'pending'].includes((await findMedia(db, tenantId, id))?.status ?? ''),
  }
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => {
    asked ??= ask()
    return asked
  }
}

const messages: Partial<Record<Reference['kind'], string>> = {
  user: 'is not an enabled user of this workspace',
  media: 'is no media of this workspace',
}

export async function referenceViolations(
  deps: Deps,
  tenantId: string,
  located: readonly LocatedReference[],
): Promise<Violation[]> {
  const ask = buildExistenceChecks(deps, tenantId)
  const found: Violation[] = await tagAndFieldViolations(deps, tenantId, located)
  for (const one of located) {
    const { kind, id, path } = one.reference
    const at = `${one.at}.${path}`
    if (kind === 'url') found.push(...urlViolations(deps, id, at))
    else if (kind === 'template') found.push(...(await contentViolations(deps, tenantId, one)))
    else if (ask[kind] && !(await ask[kind](id)))
      found.push(
        violation(at, `unknown_${kind}`, messages[kind] ?? `is not ${article(kind)} of this workspace`),
      )
    else if (kind === 'inbox') found.push(...(await contentViolations(deps, tenantId, one)))
  }
  return found
}

function article(kind: string): string {
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`
}

async function tagAndFieldViolations(
  { db }: Deps,
  tenantId: string,
  located: readonly LocatedReference[],
): Promise<Violation[]> {
  const ids = (kind: Reference['kind']) =>
    located.map(one => one.reference).flatMap(one => (one.kind === kind ? [one.id] : []))
  const { tags, fields } = await findExistingTagsAndFields(db, tenantId, ids('tag'), ids('field'))
  return located.flatMap(({ at, reference: { kind, id, path, fieldType } }) => {
    const field = `${at}.${path}`
    if (kind === 'tag' && !tags.has(id))
      return [violation(field, 'unknown_tag', 'is not a tag of this workspace')]
    if (kind !== 'field') return []
    const type = fields.get(id)
    if (type === undefined) return [violation(field, 'unknown_field', 'is not a custom field of contacts')]
    return fieldType === undefined || fieldType === type
      ? []
      : [violation(field, 'wrong_field_type', `is a ${type} field; this needs a ${fieldType} field`)]
  })
}

function urlViolations({ outbound }: Deps, url: string, at: string): Violation[] {
  const checked = outbound.checkUrl(url)
  return checked.ok ? [] : [violation(at, checked.code, checked.message)]
}
