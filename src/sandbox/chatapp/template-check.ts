/** Validates template messages like the provider, with its errors. */
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

function checkCount(where: string, actual: number, expected: number): void {
  if (actual !== expected)
    throw chatError(
      132000,
      `${where}: number of localizable_params (${actual}) does not match the expected number of params (${expected})`,
    )
}

const valueKinds = new Set(['text', 'currency', 'date_time'])

function checkTexts(
  where: string,
  template: Template,
  text: string | undefined,
  parameters: Parameter[],
): void {
  const expected = placeholders(text)
  checkCount(where, parameters.length, expected.length)
  for (const [i, parameter] of parameters.entries()) {
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

function checkHeader(
  template: Template,
  header: TemplateComponent | undefined,
  parameters: Parameter[],
): void {
  if (!header || header.format === 'TEXT') {
    checkTexts('header', template, header?.text, parameters)
    return
  }
  const kind = header.format!.toLowerCase()
  if (parameters.length === 0)
    throw chatError(132012, `header: Format mismatch, expected ${header.format}, received UNKNOWN`)
  checkCount('header', parameters.length, 1)
  if (parameters[0]!.type !== kind || typeof parameters[0]![kind] !== 'object')
    throw chatError(
      132012,
      `header: Format mismatch, expected ${header.format}, received ${String(parameters[0]!.type).toUpperCase()}`,
    )
  if (kind === 'location') checkLocation(parameters[0]!.location as Record<string, unknown>)
}

const isWithin = (value: unknown, limit: number) =>
  value !== undefined && value !== '' && Math.abs(Number(value)) <= limit

function checkLocation(location: Record<string, unknown>): void {
  const isComplete =
    isWithin(location.latitude, 90) && isWithin(location.longitude, 180) && location.name && location.address
  if (!isComplete) throw chatError(131008, 'header: location needs latitude, longitude, name and address')
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

function checkButtons(buttons: TemplateButton[], components: Component[]): void {
  for (const component of components) {
    const button = buttons[Number(component.index)]
    if (!button || !subTypes[button.type]?.includes(String(component.sub_type).toLowerCase()))
      throw chatError(132018, `buttons: No matching button at index ${component.index}`)
  }
  for (const [i, button] of buttons.entries()) {
    const component = components.find(candidate => Number(candidate.index) === i)
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

/** Validates the message and returns the template's pricing category. */
export function checkTemplate(context: SandboxContext, waba: string, message: TemplateMessage): string {
  const name = message.name
  const language = message.language?.code
  if (typeof name !== 'string') throw chatError(131008, 'The parameter template[name] is required')
  if (typeof language !== 'string')
    throw chatError(131008, 'The parameter template[language][code] is required')
  const template = findTemplate(context, waba, name, language)
  checkStatus(template, name, language)
  const components = message.components ?? []
  const ofType = (type: string) =>
    components.filter(component => String(component.type).toLowerCase() === type)
  const parametersOf = (type: string) => ofType(type).flatMap(component => component.parameters ?? [])
  const component = (type: string) => template.components.find(candidate => candidate.type === type)
  checkHeader(template, component('HEADER'), parametersOf('header'))
  checkTexts('body', template, component('BODY')?.text, parametersOf('body'))
  checkButtons(component('BUTTONS')?.buttons ?? [], ofType('button'))
  return template.category.toLowerCase()
}
