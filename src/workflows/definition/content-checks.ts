/** Whether messages of a drawing can be sent as they are: the channel carries them, the template is approved and filled. */
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

/** Where no inbox is named, so many are asked. */
const maxInboxesChecked = 5

/** Of the content beside an inbox, or of the template in it. */
export async function contentViolations(
  deps: Deps,
  tenantId: string,
  { reference, at, data }: LocatedReference,
): Promise<Violation[]> {
  const inboxes = await listInboxes(deps.db, tenantId)
  if (reference.kind === 'inbox') {
    const inbox = inboxes.find(one => one.id === reference.id)
    const fault =
      inbox && data.content ? findContentViolation(inbox.channel, data.content as SendableContent) : undefined
    return fault ? [violation(`${at}.${fault.field}`, 'content_unsupported', fault.message)] : []
  }
  const [member] = reference.path.split('.')
  const content = data[member!] as TemplateContent
  const able = inboxes
    .filter(one => (reference.inboxId ? one.id === reference.inboxId : one.channel === 'chatapp'))
    .slice(0, maxInboxesChecked)
  const faults = await checkTemplate(deps, able, content)
  return faults.map(fault => ({ ...fault, field: `${at}.${fault.field.replace(/^content/, member!)}` }))
}

/** None if one of the inboxes can send it, or could not be asked. */
async function checkTemplate(
  deps: Deps,
  inboxes: readonly InboxRow[],
  content: TemplateContent,
): Promise<Violation[]> {
  const { name, language } = content.template
  const known: Template[] = []
  for (const inbox of inboxes) {
    if (inbox.channel !== 'chatapp') return [] // said of the inbox already
    const template = await findTemplate(deps, inbox, name, language)
    if (template === undefined) return []
    if (template) known.push(template)
  }
  if (known.length === 0)
    return [
      violation(
        'content.template.name',
        'template_unknown',
        'is not a template of an inbox in this language',
      ),
    ]
  const verdicts = known.map(template => findTemplateViolations(template, content))
  return verdicts.find(faults => faults.length === 0) ?? verdicts[0]!
}
