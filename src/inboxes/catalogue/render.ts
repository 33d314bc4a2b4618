/** Adds the text that the customer sees to template content, where the template is known. */
import type { AccountDeps } from '../accounts/accounts.ts'
import { renderTemplate } from '../capabilities/template.ts'
import type { Content } from '../content.ts'
import { type CatalogueInbox, findCachedTemplate, findTemplate } from './lookup.ts'

/** Queries the provider for an unknown template, so call it outside of transactions. */
export async function renderContent(
  deps: AccountDeps,
  inbox: CatalogueInbox,
  content: Content,
): Promise<Content> {
  if (content.type === 'template')
    await findTemplate(deps, inbox, content.template.name, content.template.language)
  return renderCachedContent(deps, inbox, content)
}

/** Renders content if its template is cached, as it is after a check of the content. */
export function renderCachedContent(deps: AccountDeps, inbox: CatalogueInbox, content: Content): Content {
  if (content.type !== 'template') return content
  const template = findCachedTemplate(deps, inbox, content.template.name, content.template.language)
  if (!template) return content
  return { ...content, template: { ...content.template, renderedText: renderTemplate(template, content) } }
}
