/** Nodes and triggers as data, for those who build workflows, and the same as a page to read. */
import type { TSchema } from 'typebox'
import { nameOfSchema } from '../platform/http/schemas.ts'
import { nodeKinds } from './nodes/all.ts'
import type { AnyNodeKind, WorkflowKind } from './nodes/kind.ts'
import { triggerKinds } from './triggers/all.ts'
import type { AnyTriggerKind } from './triggers/kind.ts'

type Json = Record<string, unknown>

interface Shown {
  type: string
  kinds: WorkflowKind[]
  summary: string
  docs: string
}

export interface Catalogue {
  nodes: (Shown & {
    data: Json
    example: Json
    outputs: { name: string; summary: string }[]
    outputsFollowData: boolean
  })[]
  triggers: (Shown & { config: Json })[]
  schemas: Record<string, Json>
}

function shown({ type, kinds, summary, docs }: AnyNodeKind | AnyTriggerKind): Shown {
  return { type, kinds: [...kinds], summary, docs }
}

let made: Catalogue | undefined

export function catalogue(): Catalogue {
  made ??= make()
  return made
}

function make(): Catalogue {
  const schemas: Record<string, Json> = {}
  return {
    nodes: nodeKinds.map(kind => ({
      ...shown(kind),
      data: inner(kind.data, schemas) as Json,
      example: kind.example as Json,
      outputs: kind.outputs(kind.example).map(({ name, summary }) => ({ name, summary })),
      // One that asks for the data has more or fewer outputs by it.
      outputsFollowData: kind.outputs.length > 0,
    })),
    triggers: triggerKinds.map(kind => ({ ...shown(kind), config: inner(kind.config, schemas) as Json })),
    schemas,
  }
}

/** Named schemas stand once, under `schemas`. */
function refer(schema: unknown, schemas: Record<string, Json>): unknown {
  const name = typeof schema === 'object' && schema !== null ? nameOfSchema(schema as TSchema) : undefined
  if (name === undefined) return inner(schema, schemas)
  if (!(name in schemas)) {
    schemas[name] = {} // holds the place against recursion
    schemas[name] = inner(schema, schemas) as Json
  }
  return { $ref: `#/schemas/${name}` }
}

function inner(schema: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map(item => refer(item, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([key]) => key !== 'patternMessage')
  return Object.fromEntries(entries.map(([key, value]) => [key, refer(value, schemas)]))
}

/** The page of the documentation. */
export function cataloguePage(): string {
  const { nodes, triggers } = catalogue()
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

function heading({ type, summary, docs, kinds }: Shown): string[] {
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
        `| \`${name}\` | ${formOf(member as Json)} | ${required.includes(name) ? 'yes' : ''} |`,
    )
  return rows.length === 0 ? '' : ['| member | form | required |', '|---|---|---|', ...rows].join('\n')
}

function formOf(schema: Json): string {
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
  if (anyOf) return [...new Set(anyOf.map(formOf))].join(' or ') + note
  if (type === 'array') return `list of ${formOf(items ?? {})}${note}`
  return (type ?? 'any') + note
}
