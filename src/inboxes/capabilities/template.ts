/**
 * Checks template parameters against the template, and renders its text. Each missing, extra or misplaced parameter is a
 * violation with its path.
 */
import { type Violation, violation } from '../../platform/errors.ts'
import type { Content } from '../content.ts'
import type { Template, TemplateButton, TemplatePart } from '../providers/chatapp/catalogue.ts'

type TemplateContent = Extract<Content, { type: 'template' }>
type Component = NonNullable<TemplateContent['template']['components']>[number]
type Parameter = Component['parameters'][number]
type LocatedComponent = { component: Component; at: string }

const base = 'content.template'

const placeholder = /\{\{\s*([a-z0-9_]+)\s*\}\}/gi

/** Returns the distinct names in `Hi {{1}}` or `Hi {{first_name}}`. */
function findPlaceholders(text: string | undefined): string[] {
  return [...new Set([...(text ?? '').matchAll(placeholder)].map(match => match[1]!))]
}

/** Returns header, body and footer as the customer sees them, without files and buttons. */
export function renderTemplate({ components }: Template, { template }: TemplateContent): string {
  const render = (type: 'HEADER' | 'BODY' | 'FOOTER') => {
    const text = components.find(part => part.type === type)?.text
    const given = template.components?.find(component => component.type.toUpperCase() === type)
    return text && fillPlaceholders(text, given?.parameters ?? [])
  }
  return [render('HEADER'), render('BODY'), render('FOOTER')].filter(Boolean).join('\n\n')
}

function fillPlaceholders(text: string, parameters: readonly Parameter[]): string {
  return text.replace(placeholder, (written, name: string) => {
    const parameter = parameters.find(given => getName(given) === name) ?? parameters[Number(name) - 1]
    if (parameter?.type === 'text') return parameter.text
    if (parameter?.type === 'currency') return parameter.currency.fallbackValue
    return parameter?.type === 'dateTime' ? parameter.dateTime.fallbackValue : written
  })
}

/** `mediaType` is the type of the header's file, if known. */
export function findTemplateViolations(
  template: Template,
  content: TemplateContent,
  mediaType?: string | null,
): Violation[] {
  if (template.status !== 'APPROVED')
    return [
      violation(
        `${base}.name`,
        'template_not_approved',
        `is ${template.status.toLowerCase()} at the provider, not approved`,
      ),
    ]
  const placed = (content.template.components ?? []).map((component, i) => ({
    component,
    at: `${base}.components[${i}]`,
  }))
  const of = (type: Component['type']) => placed.filter(({ component }) => component.type === type)
  const part = (type: string) => template.components.find(component => component.type === type)
  return [
    ...duplicateViolations(of('header')),
    ...duplicateViolations(of('body')),
    ...headerViolations(template, part('HEADER'), of('header')[0], mediaType ?? undefined),
    ...textViolations(template, part('BODY')?.text, of('body')[0], 'body'),
    ...buttonViolations(part('BUTTONS')?.buttons ?? [], of('button')),
  ]
}

function duplicateViolations(placed: LocatedComponent[]): Violation[] {
  return placed.slice(1).map(({ at }) => violation(at, 'duplicate', 'must not appear twice'))
}

const missingParameter = (at: string, what: string): Violation => violation(at, 'missing_parameter', what)
const extraParameter = (at: string): Violation =>
  violation(at, 'extra_parameter', 'has no placeholder in the template')

function headerViolations(
  template: Template,
  header: TemplatePart | undefined,
  given: LocatedComponent | undefined,
  mediaType: string | undefined,
): Violation[] {
  const format = header?.format ?? 'TEXT'
  if (format === 'TEXT') return textViolations(template, header?.text, given, 'header')
  const parameters = given?.component.parameters ?? []
  const at = given ? `${given.at}.parameters` : `${base}.components`
  if (parameters.length === 0) return [missingParameter(at, `the header needs a ${format.toLowerCase()}`)]
  return parameters.flatMap((parameter, i) => {
    if (i > 0) return [extraParameter(`${at}[${i}]`)]
    const wanted = `the header is a ${format.toLowerCase()}`
    const type = format === 'LOCATION' ? 'location' : 'media'
    if (parameter.type !== type)
      return [violation(`${at}[0].type`, 'invalid_value', `must be ${type}: ${wanted}`)]
    if (parameter.type !== 'media') return []
    const fits = mediaType === undefined || mediaType === format.toLowerCase()
    return fits ? [] : [violation(`${at}[0].media.mediaId`, 'invalid_value', `is ${mediaType}: ${wanted}`)]
  })
}

const isTextual = ({ type }: Parameter): boolean =>
  type === 'text' || type === 'currency' || type === 'dateTime'

function textViolations(
  template: Template,
  text: string | undefined,
  given: LocatedComponent | undefined,
  where: string,
): Violation[] {
  const expected = findPlaceholders(text)
  const parameters = given?.component.parameters ?? []
  const at = given ? `${given.at}.parameters` : `${base}.components`
  const wrong = parameters.flatMap((parameter, i) =>
    isTextual(parameter)
      ? []
      : [violation(`${at}[${i}].type`, 'invalid_value', 'must be text, currency or dateTime')],
  )
  if (template.parameter_format === 'NAMED')
    return [...wrong, ...namedViolations(expected, parameters, at, where)]
  const absent = expected
    .slice(parameters.length)
    .map(name => missingParameter(at, `the ${where} needs a value for {{${name}}}`))
  const surplus = parameters
    .slice(expected.length)
    .map((_, i) => extraParameter(`${at}[${expected.length + i}]`))
  return [...wrong, ...absent, ...surplus]
}

const getName = (parameter: Parameter): string | undefined =>
  parameter.type === 'text' ? parameter.name : undefined

function namedViolations(
  expected: string[],
  parameters: Parameter[],
  at: string,
  where: string,
): Violation[] {
  const names = parameters.map(getName)
  const absent = expected
    .filter(name => !names.includes(name))
    .map(name => missingParameter(at, `the ${where} needs a value for {{${name}}}`))
  const surplus = names.flatMap((name, i) =>
    name !== undefined && expected.includes(name) && names.indexOf(name) === i
      ? []
      : [violation(`${at}[${i}].name`, 'extra_parameter', `must be one of ${expected.join(', ') || 'none'}`)],
  )
  return [...absent, ...surplus]
}

const subTypes: Record<string, string[]> = {
  QUICK_REPLY: ['quick_reply'],
  URL: ['url'],
  COPY_CODE: ['copy_code'],
  OTP: ['url', 'copy_code'],
  FLOW: ['flow'],
}

function needsValue(button: TemplateButton): boolean {
  if (button.type === 'URL') return findPlaceholders(button.url).length > 0
  return button.type === 'COPY_CODE' || button.type === 'OTP'
}

function buttonViolations(buttons: TemplateButton[], given: LocatedComponent[]): Violation[] {
  const misplaced = given.flatMap(({ component, at }) => {
    const button = buttons[component.index ?? -1]
    if (!button)
      return [violation(`${at}.index`, 'extra_parameter', 'the template has no button at this index')]
    return component.subType && !subTypes[button.type]?.includes(component.subType)
      ? [violation(`${at}.subType`, 'invalid_value', `the button is a ${button.type.toLowerCase()}`)]
      : []
  })
  const absent = buttons.flatMap((button, i) => {
    const filled = given.some(({ component }) => component.index === i && component.parameters.length > 0)
    return needsValue(button) && !filled
      ? [missingParameter(`${base}.components`, `the button at index ${i} needs a value`)]
      : []
  })
  return [...misplaced, ...absent]
}
