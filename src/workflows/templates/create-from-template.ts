/**
 * Lists templates and builds drafts from them. Resources that a template references are parameters, so a draft never
 * references a resource that the workspace does not have.
 */
import { createField } from '../../contacts/tags-and-fields/custom-fields.ts'
import { createTag } from '../../contacts/tags-and-fields/tags.ts'
import { getWorkspace } from '../../identity/workspace/tenants.ts'
import { channels } from '../../platform/config.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid, type Violation, violation } from '../../platform/errors.ts'
import type { Caller, Scope } from '../../platform/http/caller.ts'
import { createSegment } from '../../segments/segments.ts'
import { type CampaignExists, referenceViolations } from '../definition/references.ts'
import type { LocatedReference, Reference, WorkflowKind } from '../nodes/node-type.ts'
import type { WorkflowDefinition } from '../schemas.ts'
import { findTemplate, templates } from './registry.ts'
import type { NewFromTemplate, ParameterValue, WorkflowTemplate as TemplateView } from './schemas.ts'
import {
  type TemplateLanguage,
  type TemplateParameter,
  templateLanguages,
  type WorkflowTemplate,
} from './template.ts'

/** The scope that creating a resource of this type needs; other types must exist. */
const createScopes: Partial<Record<TemplateParameter['type'], Scope>> = {
  tag: 'tag:create',
  field: 'custom_field:create',
  segment: 'segment:create',
}

const hasDefault = ({ type }: TemplateParameter) => type === 'text' || type === 'channel'
const isRequired = (parameter: TemplateParameter) => !parameter.isOptional && !hasDefault(parameter)
const isNew = (value: ParameterValue | undefined): value is { create: string } => typeof value === 'object'

async function resolveLanguage(
  on: Queryable,
  tenantId: string,
  locale: TemplateLanguage | undefined,
): Promise<TemplateLanguage> {
  if (locale !== undefined) return locale
  const [language] = (await getWorkspace(on, tenantId)).locale.split('-')
  return templateLanguages.find(item => item === language) ?? 'en'
}

export async function listTemplates(
  on: Queryable,
  tenantId: string,
  { kind, locale }: { kind?: WorkflowKind; locale?: TemplateLanguage },
): Promise<TemplateView[]> {
  const language = await resolveLanguage(on, tenantId, locale)
  return templates
    .filter(template => kind === undefined || template.kind === kind)
    .map(template => templateToApi(template, language))
}

function templateToApi(template: WorkflowTemplate, language: TemplateLanguage): TemplateView {
  const { id, kind, category, parameters, texts } = template
  const { name, description, parameters: labels, transcripts } = texts[language]
  const [preview = []] = Object.values(transcripts)
  return {
    id,
    kind,
    category,
    name,
    description,
    parameters: Object.entries(parameters).map(([key, parameter]) => {
      const { label, hint, value } = labels[key]!
      const { type, fieldType, maxLength } = parameter
      return {
        name: key,
        type,
        label,
        ...(hint === undefined ? {} : { hint }),
        required: isRequired(parameter),
        canCreate: createScopes[type] !== undefined,
        ...(fieldType === undefined ? {} : { fieldType }),
        ...(value === undefined ? {} : hasDefault(parameter) ? { default: value } : { suggestedName: value }),
        ...(maxLength === undefined ? {} : { maxLength }),
      }
    }),
    preview: preview.map(line => {
      if (line.type === 'waited') return line
      const options = line.type === 'sent' && line.options ? { options: line.options } : {}
      return { type: line.type, text: line.text, ...options }
    }),
  }
}

/** Returns the texts and channels of a template; other parameters are empty. */
function getDefaults({ parameters, texts }: WorkflowTemplate, language: TemplateLanguage) {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      hasDefault(parameter) ? texts[language].parameters[name]!.value! : '',
    ]),
  )
}

/** Returns the scopes of the resources that the request creates. */
export function getCreateScopes({ templateId, parameters = {} }: NewFromTemplate): Scope[] {
  const known = findTemplate(templateId)?.parameters ?? {}
  return Object.entries(parameters).flatMap(([name, value]) =>
    isNew(value) ? (createScopes[known[name]?.type ?? 'text'] ?? []) : [],
  )
}

interface PreparedDraft {
  name: string
  /** Creates the new resources and returns the definition that references them. */
  build: (tx: Tx) => Promise<WorkflowDefinition>
}

/** 400 for a template of the other kind, and for parameters that are missing, unknown or do not exist. */
export async function prepareDraft(
  deps: Deps,
  caller: Caller,
  kind: WorkflowKind,
  request: NewFromTemplate,
  campaignExists: CampaignExists,
): Promise<PreparedDraft> {
  const template = findTemplate(request.templateId)
  if (template?.kind !== kind)
    return invalid(
      violation(
        'templateId',
        'unknown_workflow_template',
        `must be a template of GET /workflow-templates?kind=${kind}`,
      ),
    )
  const { tenantId } = caller
  const given = request.parameters ?? {}
  const violations = [
    ...parameterViolations(template, given),
    ...(await referenceViolations(deps, tenantId, listReferences(template, given), campaignExists)),
  ]
  if (violations.length > 0) invalid(...violations)
  const language = await resolveLanguage(deps.db, tenantId, request.locale)
  const { timezone } = await getWorkspace(deps.db, tenantId)
  return {
    name: request.name ?? template.texts[language].name,
    build: async tx => {
      const values = getDefaults(template, language)
      for (const [name, value] of Object.entries(given))
        values[name] = isNew(value)
          ? await createResource(tx, caller, template.parameters[name]!, value.create)
          : value
      return template.build(language, values, timezone)
    },
  }
}

function parameterViolations(
  { parameters }: WorkflowTemplate,
  given: Record<string, ParameterValue>,
): Violation[] {
  const unknown = Object.keys(given)
    .filter(name => !Object.hasOwn(parameters, name))
    .map(name => violation(`parameters.${name}`, 'unknown_property', 'is not a parameter of the template'))
  const known = Object.entries(parameters).flatMap(([name, parameter]) => {
    const problem = findProblem(parameter, given[name])
    return problem ? [violation(`parameters.${name}`, ...problem)] : []
  })
  return [...unknown, ...known]
}

function findProblem(
  parameter: TemplateParameter,
  value: ParameterValue | undefined,
): [code: string, message: string] | undefined {
  const { type, maxLength = 1_000 } = parameter
  if (value === undefined)
    return isRequired(parameter) ? ['required', `is required: choose a ${type} or create one`] : undefined
  if (isNew(value))
    return createScopes[type] ? undefined : ['invalid_value', `must be an existing ${type}, not a new one`]
  if (type === 'channel' && !channels.some(channel => channel === value))
    return ['invalid_value', `must be one of ${channels.join(', ')}`]
  if (type !== 'text') return undefined
  if (value.trim() === '') return ['invalid_value', 'must not be blank']
  if (value.length > maxLength) return ['too_long', `must have at most ${maxLength} characters`]
  return value.includes('{{') ? ['invalid_value', 'must not contain {{'] : undefined
}

function listReferences(
  { parameters }: WorkflowTemplate,
  given: Record<string, ParameterValue>,
): LocatedReference[] {
  return Object.entries(parameters).flatMap(([name, { type, fieldType }]) => {
    const id = given[name]
    if (typeof id !== 'string' || type === 'text' || type === 'channel') return []
    const reference: Reference = { kind: type, id, path: name, ...(fieldType ? { fieldType } : {}) }
    return [{ reference, at: 'parameters', data: {} }]
  })
}

async function createResource(
  tx: Tx,
  caller: Caller,
  { type, fieldType = 'text', filter }: TemplateParameter,
  name: string,
): Promise<string> {
  if (type === 'tag') return (await createTag(tx, caller, name)).id
  if (type === 'segment') return (await createSegment(tx, caller, { name, filter: filter! })).id
  return (await createField(tx, caller, 'contact', { name, type: fieldType })).id
}
