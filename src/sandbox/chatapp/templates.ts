/** A business account's templates: those of the catalogue, changed or joined by what was created or decided since. */

import type { SandboxContext } from '../context.ts'
import { GraphError, jsonBody, ok, paginate, pickFields } from '../graph/graph.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import { hashDigits } from '../identifiers.ts'
import { flows, type Template, templates } from './catalogue.ts'
import { chatError } from './errors.ts'

export interface StoredTemplate extends Template {
  id: string
  waba: string
  deleted?: boolean
}

const keyPrefix = (waba: string) => `chatapp/template/${waba}/`
const toTemplateKey = (waba: string, name: string, language: string) =>
  `${keyPrefix(waba)}${name}/${language}`

function withId(waba: string, template: Template): StoredTemplate {
  return { ...template, id: hashDigits(`${waba}/${template.name}/${template.language}`, 16, '7'), waba }
}

export function listStoredTemplates(world: SandboxContext, waba: string): StoredTemplate[] {
  const own = new Map(
    [...world.registry.entries<StoredTemplate>(keyPrefix(waba))].map(([, template]) => [
      template.id,
      template,
    ]),
  )
  const listed = templates.map(template => {
    const stored = withId(waba, template)
    const changed = own.get(stored.id)
    own.delete(stored.id)
    return changed ?? stored
  })
  return [...listed, ...own.values()].filter(template => !template.deleted)
}

/** Looked up for every template that is sent, so without making the whole list. */
export function findTemplate(
  world: SandboxContext,
  waba: string,
  name: string,
  language: string,
): Template | undefined {
  const own = world.registry.get<StoredTemplate>(toTemplateKey(waba, name, language))
  if (own) return own.deleted ? undefined : own
  return templates.find(template => template.name === name && template.language === language)
}

export async function saveTemplate(world: SandboxContext, template: StoredTemplate): Promise<void> {
  await world.registry.put(toTemplateKey(template.waba, template.name, template.language), template)
}

function templateToApi({ waba: _, deleted: __, ...template }: StoredTemplate): Record<string, unknown> {
  return {
    ...template,
    quality_score: { score: template.status === 'PAUSED' ? 'RED' : 'GREEN' },
    rejected_reason: template.rejected_reason ?? 'NONE',
    previous_category: null,
  }
}

const parseList = (value: string | null): string[] => {
  if (!value) return []
  return value.startsWith('[') ? (JSON.parse(value) as string[]) : value.split(',')
}

function matchesQuery(template: StoredTemplate, query: URLSearchParams): boolean {
  const isIn = (name: 'status' | 'category' | 'language') => {
    const values = parseList(query.get(name))
    return values.length === 0 || values.includes(template[name])
  }
  const text = query.get('name') ?? query.get('name_or_content') ?? ''
  return isIn('status') && isIn('category') && isIn('language') && template.name.includes(text)
}

export function listTemplates(
  world: SandboxContext,
  waba: string,
  incoming: HttpRequest,
  token: string,
): HttpResponse {
  const found = listStoredTemplates(world, waba).filter(template => matchesQuery(template, incoming.query))
  const listed = paginate(incoming, found, {
    maxSize: 1000,
    defaultSize: 25,
    token,
    path: `${waba}/message_templates`,
  })
  const fields = incoming.query.get('fields')
  return ok({ ...listed, data: listed.data.map(template => pickFields(templateToApi(template), fields)) })
}

export async function createTemplate(
  world: SandboxContext,
  waba: string,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const given = jsonBody(incoming) as unknown as Template
  if (!/^[a-z0-9_]{1,512}$/.test(given.name ?? '') || !given.language || !Array.isArray(given.components))
    throw new GraphError(100, 'Invalid parameter', { details: 'name, language and components are required' })
  if (findTemplate(world, waba, given.name, given.language))
    throw new GraphError(100, 'Content in this language already exists', { subcode: 2388024 })
  const category = given.category ?? 'UTILITY'
  const template = withId(waba, {
    ...given,
    category,
    status: 'PENDING',
    parameter_format: given.parameter_format ?? 'POSITIONAL',
  })
  await saveTemplate(world, template)
  return ok({ id: template.id, status: 'PENDING', category })
}

export async function deleteTemplate(
  world: SandboxContext,
  waba: string,
  { query }: HttpRequest,
): Promise<HttpResponse> {
  const name = query.get('name')
  const id = query.get('hsm_id')
  const found = listStoredTemplates(world, waba).filter(
    template => template.name === name && (id === null || template.id === id),
  )
  if (found.length === 0) throw chatError(132001, `template name (${name}) does not exist`)
  await Promise.all(found.map(template => saveTemplate(world, { ...template, deleted: true })))
  return ok({ success: true })
}

function listDefaultFlows(waba: string) {
  return flows.map(flow => ({
    id: hashDigits(`${waba}/flow/${flow.name}`, 16, '8'),
    ...flow,
    validation_errors: [],
  }))
}

export function listFlows(waba: string, incoming: HttpRequest, token: string): HttpResponse {
  const listed = paginate(incoming, listDefaultFlows(waba), {
    maxSize: 1000,
    defaultSize: 25,
    token,
    path: `${waba}/flows`,
  })
  const fields = incoming.query.get('fields')
  return ok({ ...listed, data: listed.data.map(flow => pickFields(flow, fields)) })
}
