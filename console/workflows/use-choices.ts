/** The resources of the workspace for the parameters of a template. */

import { api, call } from '../api/client.ts'
import { session } from '../api/session.ts'
import { toTitle } from '../app/field-title.ts'
import { useStore } from '../app/store.ts'
import { isChange, useResource } from '../app/use-resource.ts'
import { channelNames, channels } from '../inbox/channels.ts'
import { useScopes } from '../settings/common/tasks.ts'
import type { TemplateParameter } from './workflow-api.ts'

export interface Choices {
  items: readonly { id: string; name: string }[]
  /** Whether the user may create one. */
  canCreate: boolean
}

const createScopes: Partial<Record<TemplateParameter['type'], string>> = {
  tag: 'tag:create',
  field: 'custom_field:create',
  segment: 'segment:create',
}

/** Returns a function from the name of a parameter to its choices. */
export function useChoices(parameters: readonly TemplateParameter[]): (name: string) => Choices {
  const can = useScopes()
  const current = useStore(session)
  const needsSegments = parameters.some(({ type }) => type === 'segment') && can('segment:list')
  const segments = useResource(`segments ${needsSegments}`, () => fetchSegments(needsSegments), {
    isAffected: isChange('segment'),
  })
  const listItems = ({ type, fieldType }: TemplateParameter): Choices['items'] => {
    if (type === 'channel') return channels.map(id => ({ id, name: channelNames[id] }))
    if (type === 'segment') return segments.data ?? []
    if (current.status !== 'signed-in') return []
    if (type === 'tag') return [...current.tags.values()]
    if (type === 'team') return [...current.teams.values()]
    if (type === 'inbox') return [...current.inboxes.values()]
    return current.customFields
      .filter(field => field.type === fieldType)
      .map(({ id, name }) => ({ id, name: toTitle(name) }))
  }
  return name => {
    const parameter = parameters.find(item => item.name === name)!
    const scope = parameter.canCreate ? createScopes[parameter.type] : undefined
    return { items: listItems(parameter), canCreate: scope !== undefined && can(scope) }
  }
}

async function fetchSegments(isNeeded: boolean) {
  if (!isNeeded) return []
  return (await call(api.GET('/segments', { params: { query: { limit: 200 } } }))).items
}
