/** Nodes and triggers as data, for those who build workflows, and the same as a page to read. */
import type { TSchema } from 'typebox'
import { getSchemaName } from '../platform/http/schemas.ts'
import type { AnyNodeType, WorkflowKind } from './nodes/node-type.ts'
import { nodeTypes } from './nodes/registry.ts'
import { triggerTypes } from './triggers/registry.ts'
import type { AnyTriggerType } from './triggers/trigger-type.ts'

type Json = Record<string, unknown>

interface CatalogueEntry {
  type: string
  kinds: WorkflowKind[]
  summary: string
  docs: string
}

export interface Catalogue {
  nodes: (CatalogueEntry & {
    data: Json
    example: Json
    outputs: { name: string; summary: string }[]
    outputsFollowData: boolean
  })[]
  triggers: (CatalogueEntry & { config: Json })[]
  schemas: Record<string, Json>
}

function toEntry({ type, kinds, summary, docs }: AnyNodeType | AnyTriggerType): CatalogueEntry {
  return { type, kinds: [...kinds], summary, docs }
}

let cached: Catalogue | undefined

export function getCatalogue(): Catalogue {
  cached ??= buildCatalogue()
  return cached
}

function buildCatalogue(): Catalogue {
  const schemas: Record<string, Json> = {}
  return {
    nodes: nodeTypes.map(kind => ({
      ...toEntry(kind),
      data: inlineSchema(kind.data, schemas) as Json,
      example: kind.example as Json,
      outputs: kind.outputs(kind.example).map(({ name, summary }) => ({ name, summary })),
      // One that asks for the data has more or fewer outputs by it.
      outputsFollowData: kind.outputs.length > 0,
    })),
    triggers: triggerTypes.map(kind => ({
      ...toEntry(kind),
      config: inlineSchema(kind.config, schemas) as Json,
    })),
    schemas,
  }
}

/** Named schemas stand once, under `schemas`. */
function toSchemaRef(schema: unknown, schemas: Record<string, Json>): unknown {
  const name = typeof schema === 'object' && schema !== null ? getSchemaName(schema as TSchema) : undefined
  if (name === undefined) return inlineSchema(schema, schemas)
  if (!(name in schemas)) {
    schemas[name] = {} // holds the place against recursion
    schemas[name] = inlineSchema(schema, schemas) as Json
  }
  return { $ref: `#/schemas/${name}` }
}

function inlineSchema(schema: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map(item => toSchemaRef(item, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([key]) => key !== 'patternMessage')
  return Object.fromEntries(entries.map(([key, value]) => [key, toSchemaRef(value, schemas)]))
}

/** The page of the documentation. */
export function renderCataloguePage(): string {
  const { nodes, triggers } = getCatalogue()
  const intro = [
    '<!-- Made by npm run generate; edit the files in src/workflows/nodes and src/workflows/triggers. -->',
    '# Nodes and triggers',
    'What journeys and chatbots are built from, as `GET /v1/workflow-nodes` gives it. How they work together is in [workflows.md](workflows.md).',
  ]
  const sections = [
    '## Nodes',
    ...nodes.flatMap(node => [...heading(node), members(node.data), example(node.example), outputs(node)]),
    '## Triggers',
    ...triggers.flatMap(trigger => [...heading(trigger), members(trigger.config)]),
  ]
  return `${[...intro, ...sections].filter(part => part !== '').join('\n\n')}\n`
}

function heading({ type, summary, docs, kinds }: CatalogueEntry): string[] {
  const where = kinds.length > 1 ? '' : ` Only in a ${kinds[0]}.`
  return [`### ${type}`, `${summary}.${where}`, docs]
}

function example(data: Json): string {
  const short = JSON.stringify(data)
  return `\`\`\`json\n${short.length > 100 ? JSON.stringify(data, null, 2) : short}\n\`\`\``
}

function outputs({ outputs: list, outputsFollowData }: Catalogue['nodes'][number]): string {
  if (list.length === 0) return 'Nothing leaves it.'
  const title = outputsFollowData ? 'Outputs of this one:' : 'Outputs:'
  return [title, '', ...list.map(({ name, summary }) => `- \`${name}\`: ${summary}`)].join('\n')
}

function members(schema: Json): string {
  const { properties = {}, required = [] } = schema as { properties?: Json; required?: string[] }
  const rows = Object.entries(properties)
    .filter(([name]) => name !== 'type' && name !== 'conditions')
    .map(
      ([name, member]) =>
        `| \`${name}\` | ${describeType(member as Json)} | ${required.includes(name) ? 'yes' : ''} |`,
    )
  return rows.length === 0 ? '' : ['| member | form | required |', '|---|---|---|', ...rows].join('\n')
}

function describeType(schema: Json): string {
  const {
    $ref,
    type,
    enum: values,
    items,
    anyOf,
    description,
  } = schema as {
    $ref?: string
    type?: string
    enum?: unknown[]
    items?: Json
    anyOf?: Json[]
    description?: string
  }
  const note = description ? `: ${description}` : ''
  if ($ref) return $ref.split('/').at(-1)!
  if (values) return values.map(value => `\`${value}\``).join(', ') + note
  if (anyOf) return [...new Set(anyOf.map(describeType))].join(' or ') + note
  if (type === 'array') return `list of ${describeType(items ?? {})}${note}`
  return (type ?? 'any') + note
}
