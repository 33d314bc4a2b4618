/**
 * Turns the definition of a flow into screens that can be shown. A text that the flow receives from its sender is replaced
 * by the example of the definition; parts of unknown kinds are left out.
 */
import { asRecord, asRecords, asText, type Json } from '../providers/graph.ts'
import type { FlowPart, FlowScreen } from '../schemas.ts'

const maxScreens = 50
const maxParts = 100
const maxOptions = 200
const maxText = 4_096
const maxDepth = 10

type Kind = FlowPart['kind']

/** The kind of each component, and the member with its text. */
const components: Record<string, [kind: Kind, text: string]> = {
  TextHeading: ['heading', 'text'],
  TextSubheading: ['heading', 'text'],
  TextBody: ['text', 'text'],
  RichText: ['text', 'text'],
  TextCaption: ['caption', 'text'],
  Image: ['image', 'alt-text'],
  EmbeddedLink: ['link', 'text'],
  TextInput: ['input', 'label'],
  TextArea: ['input', 'label'],
  DatePicker: ['date', 'label'],
  CalendarPicker: ['date', 'label'],
  Dropdown: ['choice', 'label'],
  RadioButtonsGroup: ['choice', 'label'],
  CheckboxGroup: ['choice', 'label'],
  ChipsSelector: ['choice', 'label'],
  NavigationList: ['choice', 'label'],
  OptIn: ['check', 'label'],
  PhotoPicker: ['file', 'label'],
  DocumentPicker: ['file', 'label'],
  Footer: ['button', 'label'],
}

type Resolve = (value: unknown) => unknown

export function toScreens(definition: Json): FlowScreen[] {
  return asRecords(definition.screens).slice(0, maxScreens).map(toScreen)
}

function toScreen(screen: Json): FlowScreen {
  const resolve = resolveBy(asRecord(screen.data) ?? {})
  const children = listComponents(asRecords(asRecord(screen.layout)?.children))
  return {
    id: asText(screen.id) ?? '',
    title: toText(resolve(screen.title)),
    isTerminal: screen.terminal === true,
    parts: children.flatMap(child => toPart(child, resolve) ?? []).slice(0, maxParts),
  }
}

/** Forms and conditions contain components: all branches are shown, in their order. */
function listComponents(children: readonly Json[], depth = 0): Json[] {
  if (depth > maxDepth) return []
  return children.flatMap(child => {
    const nested = listNested(child)
    return nested ? listComponents(nested, depth + 1) : [child]
  })
}

function listNested(child: Json): Json[] | undefined {
  switch (child.type) {
    case 'Form':
      return asRecords(child.children)
    case 'If':
      return [...asRecords(child.then), ...asRecords(child.else)]
    case 'Switch':
      return Object.values(asRecord(child.cases) ?? {}).flatMap(asRecords)
    case 'ImageCarousel':
      return asRecords(child.images).map(image => ({ ...image, type: 'Image' }))
    default:
      return undefined
  }
}

function toPart(child: Json, resolve: Resolve): FlowPart | undefined {
  const type = String(child.type)
  if (!Object.hasOwn(components, type)) return undefined
  const [kind, text] = components[type]!
  return {
    kind,
    text: toText(resolve(child[text])),
    hint: toText(resolve(child['helper-text'] ?? child.description)) || null,
    isRequired: child.required === true,
    options: listOptions(resolve(child['data-source'] ?? child['list-items']), resolve),
  }
}

function listOptions(items: unknown, resolve: Resolve): string[] {
  return asRecords(items)
    .map(item => toText(resolve(item.title ?? asRecord(item['main-content'])?.title)))
    .filter(title => title !== '')
    .slice(0, maxOptions)
}

const reference = /\$\{data\.(\w+)\}/g

function resolveBy(data: Json): Resolve {
  const find = (name: string) => asRecord(data[name])?.__example__
  return value => {
    if (typeof value !== 'string') return value
    const whole = /^\$\{data\.(\w+)\}$/.exec(value)
    if (whole) return find(whole[1]!) ?? value
    return value.replace(reference, (text, name: string) => asText(find(name)) ?? text)
  }
}

/** Rich text may be a list of paragraphs. */
function toText(value: unknown): string {
  const text = Array.isArray(value) ? value.map(asText).filter(Boolean).join('\n') : (asText(value) ?? '')
  return text.slice(0, maxText)
}
