/** Checks content against the templates and flows of the inbox. Queries the provider, so call it outside of transactions. */
import { type Violation, violation } from '../../platform/errors.ts'
import type { AccountDeps } from '../accounts/accounts.ts'
import { findTemplateViolations } from '../capabilities/template.ts'
import type { SendableContent } from '../content.ts'
import type { InboxRow } from '../store/inboxes.ts'
import { findFlow, findTemplate } from './lookup.ts'

/** None when the provider cannot be queried: it checks the message itself. `mediaType` is that of the header's file. */
export async function findCatalogueViolations(
  deps: AccountDeps,
  inbox: InboxRow,
  content: SendableContent,
  mediaType?: string | null,
): Promise<Violation[]> {
  if (inbox.channel !== 'chatapp') return []
  if (content.type === 'template') {
    const { name, language } = content.template
    const template = await findTemplate(deps, inbox, name, language)
    if (template) return findTemplateViolations(template, content, mediaType)
    const message = 'is not a template of the inbox in this language'
    return template === null ? [violation('content.template.name', 'template_unknown', message)] : []
  }
  const actions = content.type === 'rich' ? content.rich.actions : []
  const violations = actions.map(async (action, i) => {
    if (action.type !== 'flow') return []
    const flow = await findFlow(deps, inbox, action.flowId)
    if (flow === undefined || flow?.status === 'PUBLISHED') return []
    const field = `content.rich.actions[${i}].flowId`
    return flow
      ? [violation(field, 'flow_not_published', `is ${flow.status.toLowerCase()}, not published`)]
      : [violation(field, 'flow_unknown', 'is not a flow of the inbox')]
  })
  return (await Promise.all(violations)).flat()
}
