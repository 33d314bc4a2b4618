/** Checks that messages of a definition can be sent: the channel supports the content, the template is approved and filled. */
import { findContentViolation } from '../../inboxes/capabilities/content.ts'
import { findTemplateViolations } from '../../inboxes/capabilities/template.ts'
import { findTemplate } from '../../inboxes/catalogue/templates.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import { type InboxRow, listInboxes } from '../../inboxes/inboxes.ts'
import type { Template } from '../../inboxes/providers/chatapp/catalogue.ts'
import type { Deps } from '../../platform/deps.ts'
import { type Violation, violation } from '../../platform/errors.ts'
import type { LocatedReference } from './references.ts'

type TemplateContent = Extract<SendableContent, { type: 'template' }>

/** Number of inboxes to check for a template if the node names none. */
const maxInboxesChecked = 5

/** Checks the content of a node that references an inbox, or the template of a node that references a template. */
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
    return found ? [violation(`${at}.${found.field}`, 'content_unsupported', found.message)] : []
  }
  const [member] = reference.path.split('.')
  const content = data[member!] as TemplateContent
  const candidates = inboxes
    .filter(({ id, channel }) => (reference.inboxId ? id === reference.inboxId : channel === 'chatapp'))
    .slice(0, maxInboxesChecked)
  const violations = await checkTemplate(deps, candidates, content)
  return violations.map(found => ({ ...found, field: `${at}.${found.field.replace(/^content/, member!)}` }))
}

/** Returns no violations if one of the inboxes can send the template, or its provider cannot be reached. */
async function checkTemplate(
  deps: Deps,
  inboxes: readonly InboxRow[],
  content: TemplateContent,
): Promise<Violation[]> {
  const { name, language } = content.template
  const templates: Template[] = []
  for (const inbox of inboxes) {
    if (inbox.channel !== 'chatapp') return [] // the inbox reference reports the channel
    const template = await findTemplate(deps, inbox, name, language)
    if (template === undefined) return []
    if (template) templates.push(template)
  }
  if (templates.length === 0)
    return [
      violation(
        'content.template.name',
        'template_unknown',
        'is not a template of an inbox in this language',
      ),
    ]
  const results = templates.map(template => findTemplateViolations(template, content))
  return results.find(violations => violations.length === 0) ?? results[0]!
}
