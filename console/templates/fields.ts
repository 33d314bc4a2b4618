/** The values that a template needs: texts, the file or the location of its header, and those of its buttons. */
import type { Schemas } from '../api/client.ts'

export type Template = Schemas['ChatappTemplate']
export type TemplateContent = Schemas['OutboundMessageContentTemplate']
type Component = NonNullable<TemplateContent['template']['components']>[number]
type Parameter = Component['parameters'][number]

export const fileFormats = ['image', 'video', 'document'] as const
export type FileFormat = (typeof fileFormats)[number]

export interface TemplateField {
  part: 'header' | 'body' | 'button'
  kind: 'text' | 'file' | 'location' | 'coupon'
  /** The name or number of the placeholder; of a location its member. */
  name: string
  /** The position of the button. */
  index?: number
}

export interface FilledField extends TemplateField {
  /** A text, or the id of the file; empty until the user has given it. */
  value: string
}

export const toKey = ({ part, index, name }: TemplateField) =>
  [part, index, name].filter(item => item !== undefined).join(' ')

type TemplatePart = Template['components'][number] & { format?: string; buttons?: TemplateButton[] }

export interface TemplateButton {
  type?: string
  text?: string
  url?: string
}

const findPart = ({ components }: Template, type: string) =>
  (components as TemplatePart[]).find(part => part.type.toUpperCase() === type)

export const getText = (template: Template, part: 'header' | 'body' | 'footer') =>
  findPart(template, part.toUpperCase())?.text ?? ''

export const getButtons = (template: Template) => findPart(template, 'BUTTONS')?.buttons ?? []

/** Returns the type of the file in the header, if it is one. */
export function getFileFormat(template: Template | undefined): FileFormat | undefined {
  const format = template && findPart(template, 'HEADER')?.format?.toLowerCase()
  return fileFormats.find(item => item === format)
}

/** Returns the names of the placeholders, such as 1 or first_name: numbers in their order, which is that of the values. */
function findPlaceholders(text: string): string[] {
  const names = [...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(match => match[1]!))]
  return names.sort((a, b) => Number(a) - Number(b) || 0)
}

const textFields = (part: 'header' | 'body', text: string): TemplateField[] =>
  findPlaceholders(text).map(name => ({ part, kind: 'text', name }))

const locationMembers = ['latitude', 'longitude', 'name', 'address'] as const

function headerFields(template: Template): TemplateField[] {
  const part = 'header'
  if (getFileFormat(template)) return [{ part, kind: 'file', name: 'file' }]
  if (findPart(template, 'HEADER')?.format?.toUpperCase() === 'LOCATION')
    return locationMembers.map(name => ({ part, kind: 'location', name }))
  return textFields(part, getText(template, part))
}

function buttonFields({ type, url = '' }: TemplateButton, index: number): TemplateField[] {
  const part = 'button'
  if (type === 'COPY_CODE') return [{ part, kind: 'coupon', name: '1', index }]
  const names = type === 'OTP' ? ['1'] : findPlaceholders(url)
  return names.map((_, position) => ({ part, kind: 'text', name: String(position + 1), index }))
}

/** Lists what the template needs, with the values that are known. */
export function listFields(template: Template, known: readonly FilledField[] = []): FilledField[] {
  const fields = [
    ...headerFields(template),
    ...textFields('body', getText(template, 'body')),
    ...getButtons(template).flatMap(buttonFields),
  ]
  const values = new Map(known.map(field => [`${toKey(field)} ${field.kind}`, field.value]))
  return fields.map(field => ({ ...field, value: values.get(`${toKey(field)} ${field.kind}`) ?? '' }))
}

const limits: Partial<Record<string, number>> = { latitude: 90, longitude: 180 }

/** Coordinates may be written with a comma. */
const toCoordinate = (text: string) => Number(text.trim().replace(',', '.') || Number.NaN)

/** Whether the field has a value that is no coordinate where one belongs. */
export function isWrongCoordinate({ kind, name, value }: FilledField): boolean {
  const limit = kind === 'location' ? limits[name] : undefined
  return limit !== undefined && value.trim() !== '' && !(Math.abs(toCoordinate(value)) <= limit)
}

export const isFilled = (field: FilledField) => field.value.trim() !== '' && !isWrongCoordinate(field)

/** Returns the fields by component, each of which needs all its values: positions must not shift. */
function listGroups(fields: readonly FilledField[]): FilledField[][] {
  const toGroup = ({ part, index }: FilledField) => `${part} ${index}`
  return [...new Set(fields.map(toGroup))]
    .map(group => fields.filter(field => toGroup(field) === group))
    .filter(group => group.every(isFilled))
}

const getValue = (group: readonly FilledField[], name: string) =>
  group.find(field => field.name === name)?.value.trim() ?? ''

export function readLocation(fields: readonly FilledField[]) {
  const group = fields.filter(({ kind }) => kind === 'location')
  if (group.length === 0 || !group.every(isFilled)) return undefined
  return {
    latitude: toCoordinate(getValue(group, 'latitude')),
    longitude: toCoordinate(getValue(group, 'longitude')),
    name: getValue(group, 'name'),
    address: getValue(group, 'address'),
  }
}

function toParameter({ part, kind, name, value }: FilledField): Parameter {
  if (kind === 'file') return { type: 'media', media: { mediaId: value } }
  if (kind === 'coupon') return { type: 'coupon', coupon: value.trim() }
  const isNamed = part !== 'button' && !/^\d+$/.test(name)
  return { type: 'text', text: value.trim(), ...(isNamed ? { name } : {}) }
}

/** Returns the message; a component is left out until all its values are known. */
export function toContent(
  { name, language }: Pick<Template, 'name' | 'language'>,
  fields: readonly FilledField[],
): TemplateContent {
  const components = listGroups(fields).map((group): Component => {
    const { part, kind, index } = group[0]!
    const subType = kind === 'coupon' ? ('copy_code' as const) : ('url' as const)
    const location = readLocation(group)
    return {
      type: part,
      ...(index === undefined ? {} : { subType, index }),
      parameters: location ? [{ type: 'location', location }] : group.map(toParameter),
    }
  })
  return { type: 'template', template: { name, language, ...(components.length > 0 ? { components } : {}) } }
}

type Value = Pick<FilledField, 'kind' | 'name' | 'value'>

function toValues(parameter: Parameter, position: number): Value[] | undefined {
  const number = String(position + 1)
  switch (parameter.type) {
    case 'text':
      return [{ kind: 'text', name: parameter.name ?? number, value: parameter.text }]
    case 'media':
      return [{ kind: 'file', name: 'file', value: parameter.media.mediaId }]
    case 'location': {
      const { location } = parameter
      return locationMembers.map(name => ({ kind: 'location', name, value: String(location[name]) }))
    }
    case 'coupon':
      return [{ kind: 'coupon', name: number, value: parameter.coupon }]
    default:
      return undefined
  }
}

/** Returns the values of a message; undefined if it has parameters without a field. */
export function readFields({ components = [] }: TemplateContent['template']): FilledField[] | undefined {
  const fields: FilledField[] = []
  for (const { type, index, subType, parameters } of components) {
    const place = type === 'button' ? { index: index ?? 0 } : {}
    for (const [position, parameter] of parameters.entries()) {
      const values = toValues(parameter, position)
      const isKnown = type !== 'button' || subType === (parameter.type === 'coupon' ? 'copy_code' : 'url')
      if (!values || !isKnown) return undefined
      fields.push(...values.map(value => ({ part: type, ...place, ...value })))
    }
  }
  return fields
}

/** Returns the field that a violation such as `content.template.components[0].parameters[1].text` concerns. */
function locateField(fields: readonly FilledField[], path: string): FilledField | undefined {
  const [, component, parameter = '0', member] =
    /template\.components\[(\d+)\](?:\.parameters\[(\d+)\])?(?:\.location\.(\w+))?/.exec(path) ?? []
  if (component === undefined) return undefined
  const group = listGroups(fields)[Number(component)] ?? []
  return group.find(({ name }) => name === member) ?? group[Number(parameter)]
}

/** Returns why values were refused, by the key of the field; a path is that of a violation. */
export function placeReasons(
  fields: readonly FilledField[],
  reasons: readonly { path: string; reason: string }[],
): ReadonlyMap<string, string> {
  return new Map(
    reasons.flatMap(({ path, reason }) => {
      const field = locateField(fields, path)
      return field ? [[toKey(field), reason] as const] : []
    }),
  )
}
