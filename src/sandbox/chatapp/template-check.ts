/** Whether what is sent fits the template: the provider's own checks, with the provider's own errors. */
import type { SandboxContext } from '../context.ts'
import type { Template, TemplateButton, TemplateComponent } from './catalogue.ts'
import { chatError } from './errors.ts'
import { findTemplate } from './templates.ts'

interface Parameter {
  type?: string
  text?: unknown
  parameter_name?: unknown
  [kind: string]: unknown
}

interface Component {
  type?: string
  sub_type?: string
  index?: string | number
  parameters?: Parameter[]
}

export interface TemplateMessage {
  name?: unknown
  language?: { code?: unknown }
  components?: Component[]
}

const placeholders = (text: string | undefined): string[] => [
  ...new Set([...(text ?? '').matchAll(/\{\{\s*([a-z0-9_]+)\s*\}\}/gi)].map(match => match[1]!)),
]

function checkCount(where: string, given: number, expected: number): void {
  if (given !== expected)
    throw chatError(
      132000,
      `${where}: number of localizable_params (${given}) does not match the expected number of params (${expected})`,
    )
}

const valueKinds = new Set(['text', 'currency', 'date_time'])

function checkTexts(where: string, template: Template, text: string | undefined, given: Parameter[]): void {
  const expected = placeholders(text)
  checkCount(where, given.length, expected.length)
  for (const [i, parameter] of given.entries()) {
    if (
      !valueKinds.has(parameter.type ?? '') ||
      (parameter.type === 'text' && typeof parameter.text !== 'string')
    )
      throw chatError(132012, `${where}: Parameter format does not match format in the created template`)
    if (parameter.type === 'text' && parameter.text === '')
      throw chatError(131008, `Parameter of type text is missing text value in ${where}[${i}]`)
    if (template.parameter_format === 'NAMED' && !expected.includes(String(parameter.parameter_name)))
      throw chatError(132012, `${where}: Parameter name is missing or does not match the created template`)
  }
}

function checkHeader(template: Template, header: TemplateComponent | undefined, given: Parameter[]): void {
  if (!header || header.format === 'TEXT') {
    checkTexts('header', template, header?.text, given)
    return
  }
  const kind = header.format!.toLowerCase()
  if (given.length === 0)
    throw chatError(132012, `header: Format mismatch, expected ${header.format}, received UNKNOWN`)
  checkCount('header', given.length, 1)
  if (given[0]!.type !== kind || typeof given[0]![kind] !== 'object')
    throw chatError(
      132012,
      `header: Format mismatch, expected ${header.format}, received ${String(given[0]!.type).toUpperCase()}`,
    )
}

function needsParameter(button: TemplateButton): boolean {
  if (button.type === 'URL') return placeholders(button.url).length > 0
  return button.type === 'COPY_CODE' || button.type === 'OTP'
}

const subTypes: Record<string, string[]> = {
  QUICK_REPLY: ['quick_reply'],
  URL: ['url'],
  COPY_CODE: ['copy_code'],
  OTP: ['url', 'copy_code'],
  FLOW: ['flow'],
  CATALOG: ['catalog'],
}

function checkButtons(buttons: TemplateButton[], given: Component[]): void {
  for (const component of given) {
    const button = buttons[Number(component.index)]
    if (!button || !subTypes[button.type]?.includes(String(component.sub_type).toLowerCase()))
      throw chatError(132018, `buttons: There is no such button at index ${component.index}`)
  }
  for (const [i, button] of buttons.entries()) {
    const component = given.find(one => Number(one.index) === i)
    if (needsParameter(button) && !component?.parameters?.length)
      throw chatError(131008, `buttons: Button at index ${i} of type ${button.type} requires a parameter`)
  }
}

function checkStatus(template: Template | undefined, name: string, language: string): asserts template {
  if (template?.status === 'PAUSED') throw chatError(132015)
  if (template?.status === 'DISABLED') throw chatError(132016)
  if (template?.status !== 'APPROVED')
    throw chatError(132001, `template name (${name}) does not exist in ${language}`)
}

/** Answers the template's category, which decides what the message costs. */
export function checkTemplate(world: SandboxContext, waba: string, message: TemplateMessage): string {
  const name = message.name
  const language = message.language?.code
  if (typeof name !== 'string') throw chatError(131008, 'The parameter template[name] is required')
  if (typeof language !== 'string')
    throw chatError(131008, 'The parameter template[language][code] is required')
  const template = findTemplate(world, waba, name, language)
  checkStatus(template, name, language)
  const given = message.components ?? []
  const of = (type: string) => given.filter(component => String(component.type).toLowerCase() === type)
  const parametersOf = (type: string) => of(type).flatMap(component => component.parameters ?? [])
  const component = (type: string) => template.components.find(one => one.type === type)
  checkHeader(template, component('HEADER'), parametersOf('header'))
  checkTexts('body', template, component('BODY')?.text, parametersOf('body'))
  checkButtons(component('BUTTONS')?.buttons ?? [], of('button'))
  return template.category.toLowerCase()
}
