/** The data of new nodes: complete where a usual value exists, and empty where the user must decide. */
import type { Catalogue, Data, DefinitionNode, Position } from './definition.ts'
import { findNodeType } from './definition.ts'
import { createId } from './edits.ts'

const emptyText = () => ({ type: 'text', text: { body: '' } })

const defaults: Record<string, (timezone: string) => Data> = {
  sendMessage: () => ({ content: emptyText() }),
  ask: () => ({ content: emptyText(), variable: 'answer' }),
  menu: () => ({
    content: emptyText(),
    options: [
      { id: 'option-1', title: '' },
      { id: 'option-2', title: '' },
    ],
  }),
  delay: () => ({ for: { days: 1 } }),
  timeWindow: timezone => ({
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    from: '09:00',
    to: '18:00',
    timezone,
  }),
  waitFor: () => ({ cases: [{ id: 'case-1', event: '' }], timeout: { days: 1 } }),
  branch: () => ({ cases: [{ id: 'case-1', filter: { match: 'all', conditions: [] } }] }),
  split: () => ({ weights: { a: 50, b: 50 } }),
  setVariable: () => ({ name: '', value: '' }),
  setOptOut: () => ({ channel: 'chatapp', optedOut: true }),
  assign: () => ({ strategy: 'roundRobin' }),
  http: () => ({ method: 'GET', url: '' }),
}

/** Required texts of node types without defaults are empty. */
function toEmptyData(catalogue: Catalogue, type: string): Data {
  const { properties = {}, required = [] } = (findNodeType(catalogue, type)?.data ?? {}) as {
    properties?: Record<string, { type?: string }>
    required?: string[]
  }
  return Object.fromEntries(
    required.flatMap(name => (properties[name]?.type === 'string' ? [[name, '']] : [])),
  )
}

export function createNode(
  catalogue: Catalogue,
  type: string,
  position: Position,
  timezone: string,
): DefinitionNode {
  const data = defaults[type]?.(timezone) ?? toEmptyData(catalogue, type)
  return { id: createId(type), type, data, position }
}
