/** Checks that messages of a definition can be sent: the channel supports the content, templates and flows exist. */
import { findContentViolation } from '../../inboxes/capabilities/content.ts'
import { findCatalogueViolations } from '../../inboxes/catalogue/violations.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import { type InboxRow, listInboxes } from '../../inboxes/inboxes.ts'
import type { Deps } from '../../platform/deps.ts'
import { type Violation, violation } from '../../platform/errors.ts'
import type { LocatedReference } from '../nodes/node-type.ts'

/** Number of inboxes to check if the node names none. */
const maxInboxesChecked = 5

/** Checks the content of a node that references an inbox, or that references a template or flow. */
export async function contentViolations(
  deps: Deps,
  tenantId: string,
  { reference, at, data }: LocatedReference,
): Promise<Violation[]> {
  const inboxes = await listInboxes(deps.db, tenantId)
  if (reference.kind === 'inbox') {
    const inbox = inboxes.find(({ id }) => id === reference.id)
    const found =
      inbox && data.content ? findContentViolation(inbox.channel, data.content as SendableContent) : undefined
    return found ? [{ ...found, field: `${at}.${found.field}` }] : []
  }
  const [member] = reference.path.split('.')
  const candidates = inboxes
    .filter(({ id, channel }) => (reference.inboxId ? id === reference.inboxId : channel === 'chatapp'))
    .slice(0, maxInboxesChecked)
  if (candidates.length === 0)
    return [
      violation(
        `${at}.${reference.path}`,
        `${reference.kind}_unknown`,
        `is not a ${reference.kind} of an inbox`,
      ),
    ]
  const violations = await checkCatalogue(deps, candidates, data[member!] as SendableContent)
  return violations.map(found => ({ ...found, field: `${at}.${found.field.replace(/^content/, member!)}` }))
}

/** Returns no violations if one of the inboxes can send the content, or its provider cannot be reached. */
async function checkCatalogue(
  deps: Deps,
  inboxes: readonly InboxRow[],
  content: SendableContent,
): Promise<Violation[]> {
  const results: Violation[][] = []
  for (const inbox of inboxes) {
    const violations = await findCatalogueViolations(deps, inbox, content)
    if (violations.length === 0) return []
    results.push(violations)
  }
  const isKnown = ([first]: Violation[]) => !first!.code.endsWith('_unknown')
  return results.find(isKnown) ?? results[0]!
}
