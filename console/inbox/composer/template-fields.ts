/** The values that a template needs: those of its header, its body, and the addresses of its buttons. */
import type { Schemas } from '../../api/client.ts'

export type Template = Schemas['ChatappTemplate']
export type TemplateContent = Schemas['OutboundMessageContentTemplate']

export interface TemplateField {
  /** Unique within the template. */
  key: string
  part: 'header' | 'body' | 'button'
  /** The name or number of the placeholder. */
  name: string
  /** For a placeholder in the URL of a button: that button. */
  button?: { index: number; title: string }
}

export function getText({ components }: Template, part: 'header' | 'body'): string {
  return components.find(({ type }) => type.toLowerCase() === part)?.text ?? ''
}

/** Returns the names of the placeholders, such as 1 or first_name, in their order. */
export function findPlaceholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(match => match[1]!))]
}

interface TemplateButton {
  text?: string
  url?: string
}

export function listFields(template: Template): TemplateField[] {
  const texts = (['header', 'body'] as const).flatMap(part =>
    findPlaceholders(getText(template, part)).map(name => ({ key: `${part} ${name}`, part, name })),
  )
  const found = template.components.find(({ type }) => type.toUpperCase() === 'BUTTONS')
  const buttons = Array.isArray(found?.buttons) ? (found.buttons as TemplateButton[]) : []
  const addresses = buttons.flatMap(({ text = '', url = '' }, index) =>
    findPlaceholders(url).map(name => ({
      key: `button ${index} ${name}`,
      part: 'button' as const,
      name,
      button: { index, title: text },
    })),
  )
  return [...texts, ...addresses]
}

/** Returns the message; `values` has one for the key of each field. */
export function toContent(template: Template, values: Readonly<Record<string, string>>): TemplateContent {
  const fields = listFields(template)
  const toGroup = ({ part, button }: TemplateField) => `${part} ${button?.index ?? ''}`
  const components = [...new Set(fields.map(toGroup))].map(group => {
    const members = fields.filter(field => toGroup(field) === group)
    const { part, button } = members[0]!
    const parameters = members.map(({ key, name }) => ({
      type: 'text' as const,
      text: values[key]!.trim(),
      ...(button || /^\d+$/.test(name) ? {} : { name }),
    }))
    return { type: part, ...(button ? { subType: 'url' as const, index: button.index } : {}), parameters }
  })
  const { name, language } = template
  return { type: 'template', template: { name, language, ...(components.length > 0 ? { components } : {}) } }
}
