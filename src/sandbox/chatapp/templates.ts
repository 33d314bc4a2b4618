/** Templates of a business account: the catalogue plus created, reviewed and deleted ones. */

import type { SandboxContext } from '../context.ts'
import { type EdgeHandler, GraphError, jsonBody, ok, respondWithPage } from '../graph/graph.ts'
import { hashDigits } from '../identifiers.ts'
import { type Template, templates } from './catalogue.ts'
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

export function listStoredTemplates(context: SandboxContext, waba: string): StoredTemplate[] {
  const own = new Map(
    [...context.registry.entries<StoredTemplate>(keyPrefix(waba))].map(([, template]) => [
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

/** Finds a template without building the whole list, because it runs for every template message. */
export function findTemplate(
  context: SandboxContext,
  waba: string,
  name: string,
  language: string,
): Template | undefined {
  const own = context.registry.get<StoredTemplate>(toTemplateKey(waba, name, language))
  if (own) return own.deleted ? undefined : own
  return templates.find(template => template.name === name && template.language === language)
}

export async function saveTemplate(context: SandboxContext, template: StoredTemplate): Promise<void> {
  await context.registry.put(toTemplateKey(template.waba, template.name, template.language), template)
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

export const listTemplates: EdgeHandler = (context, waba, request, token) => {
  const matching = listStoredTemplates(context, waba).filter(template =>
    matchesQuery(template, request.query),
  )
  const options = { maxSize: 1000, token, path: `${waba}/message_templates` }
  return respondWithPage(request, matching, options, templateToApi)
}

export const createTemplate: EdgeHandler = async (context, waba, request) => {
  const input = jsonBody(request) as unknown as Template
  if (!/^[a-z0-9_]{1,512}$/.test(input.name ?? '') || !input.language || !Array.isArray(input.components))
    throw new GraphError(100, 'Invalid parameter', { details: 'name, language and components are required' })
  if (findTemplate(context, waba, input.name, input.language))
    throw new GraphError(100, 'Content in this language already exists', { subcode: 2388024 })
  const category = input.category ?? 'UTILITY'
  const template = withId(waba, {
    ...input,
    category,
    status: 'PENDING',
    parameter_format: input.parameter_format ?? 'POSITIONAL',
  })
  await saveTemplate(context, template)
  return ok({ id: template.id, status: 'PENDING', category })
}

export const deleteTemplate: EdgeHandler = async (context, waba, { query }) => {
  const name = query.get('name')
  const id = query.get('hsm_id')
  const found = listStoredTemplates(context, waba).filter(
    template => template.name === name && (id === null || template.id === id),
  )
  if (found.length === 0) throw chatError(132001, `template name (${name}) does not exist`)
  await Promise.all(found.map(template => saveTemplate(context, { ...template, deleted: true })))
  return ok({ success: true })
}
