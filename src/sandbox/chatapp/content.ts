/** Validates message content against the provider's rules, except templates. */

import type { SandboxContext } from '../context.ts'
import { GraphError } from '../graph/graph.ts'
import { isObject, type Json } from '../http/bodies.ts'
import { chatError } from './errors.ts'

const invalid = (details: string): GraphError => new GraphError(100, details, { details })
const missing = (name: string): GraphError => chatError(131008, `Parameter ${name} is mandatory`)

function requireText(value: unknown, name: string, max: number): void {
  if (typeof value !== 'string' || value === '') throw missing(name)
  if (value.length > max) throw invalid(`Param ${name} must be at most ${max} characters long.`)
}

function checkOptionalText(value: unknown, name: string, max: number): void {
  if (value !== undefined) requireText(value, name, max)
}

function requireList(value: unknown, name: string, max: number): Json[] {
  if (!Array.isArray(value) || value.length === 0) throw missing(name)
  if (value.length > max) throw invalid(`Param ${name} must have at most ${max} items.`)
  return value.filter(isObject)
}

function requireUnique(values: unknown[], name: string): void {
  if (new Set(values).size !== values.length) throw chatError(131009, `Duplicated ${name}`)
}

function checkMedia(context: SandboxContext, type: string, value: Json): void {
  if (value.id === undefined && value.link === undefined) throw missing(`${type}['id'] or ${type}['link']`)
  if (value.id !== undefined && !context.media.find(String(value.id)))
    throw invalid(`Param ${type}['id'] is not a valid whatsapp business account media attachment ID`)
  if (value.link !== undefined && !/^https?:\/\//.test(String(value.link)))
    throw invalid(`Param ${type}['link'] is not a valid URI.`)
  checkOptionalText(value.caption, `${type}['caption']`, 1024)
}

function checkReplyButtons(action: Json): void {
  const replies = requireList(action.buttons, 'action.buttons', 3).map(button =>
    isObject(button.reply) ? button.reply : {},
  )
  for (const reply of replies) {
    requireText(reply.id, 'reply.id', 256)
    requireText(reply.title, 'reply.title', 20)
  }
  requireUnique(
    replies.map(reply => reply.id),
    'button id',
  )
}

function checkListRows(action: Json): void {
  requireText(action.button, 'action.button', 20)
  const sections = requireList(action.sections, 'action.sections', 10)
  const rows = sections.flatMap(section => requireList(section.rows, 'section.rows', 10))
  if (rows.length > 10) throw chatError(131009, 'Total row count exceed max allowed count: 10')
  for (const section of sections) if (sections.length > 1) requireText(section.title, 'section.title', 24)
  for (const row of rows) {
    requireText(row.id, 'row.id', 200)
    requireText(row.title, 'row.title', 24)
    checkOptionalText(row.description, 'row.description', 72)
  }
  requireUnique(
    rows.map(row => row.id),
    'row id',
  )
}

function requireAction(action: Json, name: string): Json {
  if (action.name !== name) throw chatError(131009, `action.name must be ${name}`)
  return isObject(action.parameters) ? action.parameters : {}
}

function checkUrlButton(action: Json): void {
  const parameters = requireAction(action, 'cta_url')
  requireText(parameters.display_text, 'display_text', 20)
  if (!/^https?:\/\//.test(String(parameters.url))) throw chatError(131009, 'url is not valid')
}

function checkFlowButton(action: Json): void {
  const parameters = requireAction(action, 'flow')
  requireText(parameters.flow_cta, 'flow_cta', 30)
  if ((parameters.flow_id === undefined) === (parameters.flow_name === undefined))
    throw chatError(131009, 'Exactly one of flow_id and flow_name is required')
  if (String(parameters.flow_message_version) !== '3')
    throw chatError(131009, 'flow_message_version must be 3')
}

const actions: Record<string, (action: Json) => void> = {
  button: checkReplyButtons,
  list: checkListRows,
  cta_url: checkUrlButton,
  flow: checkFlowButton,
  location_request_message: action => void requireAction(action, 'send_location'),
  request_contact_info: action => void requireAction(action, 'request_contact_info'),
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

function checkInteractive(_: SandboxContext, __: string, value: Json): void {
  const type = String(value.type)
  if (passedThrough.has(type)) return
  const check = Object.hasOwn(actions, type) ? actions[type] : undefined
  if (!check) throw invalid(`Param interactive['type'] must be one of {${Object.keys(actions).join(', ')}}`)
  requireText(
    isObject(value.body) ? value.body.text : undefined,
    'interactive.body.text',
    type === 'list' ? 4096 : 1024,
  )
  if (isObject(value.footer)) requireText(value.footer.text, 'interactive.footer.text', 60)
  if (isObject(value.header) && value.header.type === 'text')
    requireText(value.header.text, 'interactive.header.text', 60)
  if (!isObject(value.action)) throw missing('interactive.action')
  check(value.action)
}

type Check = (context: SandboxContext, type: string, value: Json) => void

const checks: Record<string, Check> = {
  text: (_, __, value) => requireText(value.body, "text['body']", 4096),
  image: checkMedia,
  video: checkMedia,
  audio: checkMedia,
  document: checkMedia,
  sticker: checkMedia,
  location(_, __, value) {
    if (!Number.isFinite(Number(value.latitude)) || value.latitude === undefined)
      throw missing("location['latitude']")
    if (!Number.isFinite(Number(value.longitude)) || value.longitude === undefined)
      throw missing("location['longitude']")
  },
  reaction(_, __, value) {
    requireText(value.message_id, "reaction['message_id']", 1000)
    if (typeof value.emoji !== 'string') throw missing("reaction['emoji']")
  },
  interactive: checkInteractive,
}

export const messageTypes = [...Object.keys(checks), 'contacts', 'template']

export function checkContent(context: SandboxContext, type: string, message: Json): void {
  if (!messageTypes.includes(type)) throw invalid(`Param type must be one of {${messageTypes.join(', ')}}`)
  const value = message[type]
  if (type === 'contacts') {
    for (const contact of requireList(value, 'contacts', 257))
      requireText(
        isObject(contact.name) ? contact.name.formatted_name : undefined,
        'name.formatted_name',
        1000,
      )
    return
  }
  if (!isObject(value)) throw missing(type)
  checks[type]?.(context, type, value)
}
