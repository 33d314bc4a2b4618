/** Names of the resources that nodes reference: from the session, or read once when a builder is opened. */

import { useEffect, useMemo } from 'react'
import { api, call } from '../../api/client.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { toTitle } from '../../app/field-title.ts'
import { createStore, useStore } from '../../app/store.ts'
import {
  type Data,
  type Definition,
  type DefinitionNode,
  findJumpTarget,
  type NameOf,
  summarizeNode,
} from '../model/definition.ts'
import { nameNode, texts } from '../texts.ts'

export interface Named {
  id: string
  name: string
}

interface Lists {
  segments: readonly Named[]
  journeys: readonly Named[]
  campaigns: readonly Named[]
}

const lists = createStore<Lists>({ segments: [], journeys: [], campaigns: [] })

const readers = {
  segments: async () =>
    hasScope('segment:list')
      ? (await call(api.GET('/segments', { params: { query: { limit: 200 } } }))).items
      : [],
  journeys: async () =>
    hasScope('journey:list')
      ? (await call(api.GET('/journeys', { params: { query: { pageSize: 200 } } }))).journeys
      : [],
  campaigns: async () =>
    hasScope('campaign:list')
      ? (await call(api.GET('/campaigns', { params: { query: { limit: 200 } } }))).items
      : [],
}

async function readList(name: keyof Lists): Promise<void> {
  const items = await readers[name]()
  const found = items.map(item => ({ id: item.id, name: item.name }))
  lists.update(before => ({ ...before, [name]: found }))
}

/** The list, read again each time a field that offers it is shown. */
export function useNamed(name: keyof Lists): readonly Named[] {
  const found = useStore(lists)[name]
  useEffect(() => {
    readList(name).catch(() => {})
  }, [name])
  return found
}

/** Reads the lists that the nodes reference. */
export function useReferencedNames(nodes: readonly DefinitionNode[]): void {
  const key = useMemo(() => {
    const text = JSON.stringify(nodes.map(({ data }) => data))
    const properties = { segmentId: 'segments', journeyId: 'journeys', campaignId: 'campaigns' }
    return Object.entries(properties)
      .flatMap(([property, name]) => (text.includes(`"${property}"`) ? [name] : []))
      .join(' ')
  }, [nodes])
  useEffect(() => {
    for (const name of key.split(' ')) if (name) readList(name as keyof Lists).catch(() => {})
  }, [key])
}

/** Renders again when a list has arrived. */
export function useNameOf(): NameOf {
  useStore(lists)
  return nameOf
}

function nameOf(id: string): string | undefined {
  if (id === '') return undefined
  const { tags, teams, users, inboxes, customFields } = getSignedIn()
  const field = customFields.find(item => item.id === id)
  if (field) return toTitle(field.name)
  const known = tags.get(id) ?? teams.get(id) ?? users.get(id) ?? inboxes.get(id)
  if (known) return known.name ?? undefined
  const { segments, journeys, campaigns } = lists.get()
  return [...segments, ...journeys, ...campaigns].find(item => item.id === id)?.name
}

/** Returns the line that says what the node does, in the user's language; with the definition, also where a jump leads. */
export function describeNode(node: DefinitionNode, definition?: Definition): string {
  const target = definition && findJumpTarget(node, definition)
  if (target) return [nameNode(target.type), describeNode(target)].filter(Boolean).join(': ')
  return summarizeNode(node, nameOf, {
    duration: describeDuration,
    trigger: type => texts().triggers[type] ?? type,
    cases: texts().cases,
    value: value => texts().values[value] ?? value,
    nobody: texts().nobody,
  })
}

export function describeDuration(duration: Data): string {
  const [unit, amount] = Object.entries(duration)[0] ?? []
  return unit === undefined ? '' : texts().duration(Number(amount), unit)
}
