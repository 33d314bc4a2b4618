/** Whether a message has the form its type asks for: the provider's limits on everything but templates. */
import { isObject, type Json } from '../bodies.ts'
import { GraphError } from '../graph.ts'
import type { World } from '../world.ts'
import { chatError } from './errors.ts'

const invalid = (details: string): GraphError => new GraphError(100, details, { details })
const missing = (name: string): GraphError => chatError(131008, `Parameter ${name} is mandatory`)

function text(value: unknown, name: string, most: number): void {
  if (typeof value !== 'string' || value === '') throw missing(name)
  if (value.length > most) throw invalid(`Param ${name} must be at most ${most} characters long.`)
}

function optionalText(value: unknown, name: string, most: number): void {
  if (value !== undefined) text(value, name, most)
}

function list(value: unknown, name: string, most: number): Json[] {
  if (!Array.isArray(value) || value.length === 0) throw missing(name)
  if (value.length > most) throw invalid(`Param ${name} must have at most ${most} items.`)
  return value.filter(isObject)
}

function unique(values: unknown[], name: string): void {
  if (new Set(values).size !== values.length) throw chatError(131009, `Duplicated ${name}`)
}

function media(world: World, type: string, value: Json): void {
  if (value.id === undefined && value.link === undefined) throw missing(`${type}['id'] or ${type}['link']`)
  if (value.id !== undefined && !world.media.find(String(value.id)))
    throw invalid(`Param ${type}['id'] is not a valid whatsapp business account media attachment ID`)
  if (value.link !== undefined && !/^https?:\/\//.test(String(value.link)))
    throw invalid(`Param ${type}['link'] is not a valid URI.`)
  optionalText(value.caption, `${type}['caption']`, 1024)
}

function replyButtons(action: Json): void {
  const replies = list(action.buttons, 'action.buttons', 3).map(button =>
    isObject(button.reply) ? button.reply : {},
  )
  for (const reply of replies) {
    text(reply.id, 'reply.id', 256)
    text(reply.title, 'reply.title', 20)
  }
  unique(
    replies.map(reply => reply.id),
    'button id',
  )
}

function listRows(action: Json): void {
  text(action.button, 'action.button', 20)
  const sections = list(action.sections, 'action.sections', 10)
  const rows = sections.flatMap(section => list(section.rows, 'section.rows', 10))
  if (rows.length > 10) throw chatError(131009, 'Total row count exceed max allowed count: 10')
  for (const section of sections) if (sections.length > 1) text(section.title, 'section.title', 24)
  for (const row of rows) {
    text(row.id, 'row.id', 200)
    text(row.title, 'row.title', 24)
    optionalText(row.description, 'row.description', 72)
  }
  unique(
    rows.map(row => row.id),
    'row id',
  )
}

function named(action: Json, name: string): Json {
  if (action.name !== name) throw chatError(131009, `action.name must be ${name}`)
  return isObject(action.parameters) ? action.parameters : {}
}

function urlButton(action: Json): void {
  const parameters = named(action, 'cta_url')
  text(parameters.display_text, 'display_text', 20)
  if (!/^https?:\/\//.test(String(parameters.url))) throw chatError(131009, 'url is not valid')
}

function flowButton(action: Json): void {
  const parameters = named(action, 'flow')
  text(parameters.flow_cta, 'flow_cta', 30)
  if ((parameters.flow_id === undefined) === (parameters.flow_name === undefined))
    throw chatError(131009, 'Exactly one of flow_id and flow_name is required')
  if (String(parameters.flow_message_version) !== '3')
    throw chatError(131009, 'flow_message_version must be 3')
}

const actions: Record<string, (action: Json) => void> = {
  button: replyButtons,
  list: listRows,
  cta_url: urlButton,
  flow: flowButton,
  location_request_message: action => void named(action, 'send_location'),
  request_contact_info: action => void named(action, 'request_contact_info'),
}
const passedThrough = new Set([
  'product',
  'product_list',
  'catalog_message',
  'address_message',
  'call_permission_request',
  'order_details',
  'order_status',
])

function interactive(_: World, __: string, value: Json): void {
  const type = String(value.type)
  if (passedThrough.has(type)) return
  const check = Object.hasOwn(actions, type) ? actions[type] : undefined
  if (!check) throw invalid(`Param interactive['type'] must be one of {${Object.keys(actions).join(', ')}}`)
  text(
    isObject(value.body) ? value.body.text : undefined,
    'interactive.body.text',
    type === 'list' ? 4096 : 1024,
  )
  if (isObject(value.footer)) text(value.footer.text, 'interactive.footer.text', 60)
  if (isObject(value.header) && value.header.type === 'text')
    text(value.header.text, 'interactive.header.text', 60)
  if (!isObject(value.action)) throw missing('interactive.action')
  check(value.action)
}

type Check = (world: World, type: string, value: Json) => void

const checks: Record<string, Check> = {
  text: (_, __, value) => text(value.body, "text['body']", 4096),
  image: media,
  video: media,
  audio: media,
  document: media,
  sticker: media,
  location(_, __, value) {
    if (!Number.isFinite(Number(value.latitude)) || value.latitude === undefined)
      throw missing("location['latitude']")
    if (!Number.isFinite(Number(value.longitude)) || value.longitude === undefined)
      throw missing("location['longitude']")
  },
  reaction(_, __, value) {
    text(value.message_id, "reaction['message_id']", 1000)
    if (typeof value.emoji !== 'string') throw missing("reaction['emoji']")
  },
  interactive,
}

export const messageTypes = [...Object.keys(checks), 'contacts', 'template']

/** Of everything but a template, whose check knows the account's templates. */
export function checkContent(world: World, type: string, message: Json): void {
  if (!messageTypes.includes(type)) throw invalid(`Param type must be one of {${messageTypes.join(', ')}}`)
  const value = message[type]
  if (type === 'contacts') {
    for (const contact of list(value, 'contacts', 257))
      text(isObject(contact.name) ? contact.name.formatted_name : undefined, 'name.formatted_name', 1000)
    return
  }
  if (!isObject(value)) throw missing(type)
  checks[type]?.(world, type, value)
}
