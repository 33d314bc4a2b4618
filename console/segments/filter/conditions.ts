/** The conditions of a contact filter as rows of field, operator and value. */
import type { Schemas } from '../../api/client.ts'

export type Filter = Schemas['ContactFilter']
export type Condition = Schemas['ContactCondition']
export type Item = Filter['conditions'][number]
/** A filter or a group within it: groups of all levels are edited alike. */
export interface Group {
  match: 'all' | 'any'
  conditions: readonly Item[]
}

export const emptyFilter: Filter = { match: 'all', conditions: [] }
/** Levels of a filter, itself included. */
export const maxDepth = 3
export const maxConditions = 20

export const isGroup = (item: Item): item is Exclude<Item, Condition> => 'match' in item

const timeTypes = ['createdAt', 'firstSeen', 'lastInteraction'] as const
type TimeCondition = Extract<Condition, { type: (typeof timeTypes)[number] }>
const timeMembers = ['withinDays', 'notWithinDays', 'after', 'before'] as const

export const isTime = (condition: Condition): condition is TimeCondition =>
  (timeTypes as readonly string[]).includes(condition.type)

export type CountCondition = Extract<Condition, { type: 'chatCount' | 'performedEvent' }>
export const isCount = (condition: Condition): condition is CountCondition =>
  condition.type === 'chatCount' || condition.type === 'performedEvent'

/** Fields that every workspace has, in the order of the list; custom fields follow. */
export const builtInFields = [
  'searchText',
  'tags',
  'lastInteraction',
  'firstSeen',
  'createdAt',
  'chatCount',
  'channels',
  'optedOut',
  'inJourney',
  'gotCampaign',
  'performedEvent',
  'archiveStatus',
] as const
export type BuiltInField = (typeof builtInFields)[number]
/** Conditions that are shown and removed, but not chosen from the list. */
const fixedTypes = ['never', 'createdByImport'] as const
export type FixedCondition = Extract<Condition, { type: (typeof fixedTypes)[number] }>
export const isFixed = (condition: Condition): condition is FixedCondition =>
  (fixedTypes as readonly string[]).includes(condition.type)

/** A built-in field or the id of a custom field. */
export type FieldKey = BuiltInField | `field:${string}`

export function toFieldKey(condition: Exclude<Condition, FixedCondition>): FieldKey {
  switch (condition.type) {
    case 'hasAnyTag':
    case 'notAnyTag':
      return 'tags'
    case 'hasAnyChannel':
      return 'channels'
    case 'customFieldText':
    case 'customFieldDate':
      return `field:${condition.fieldId}`
    default:
      return condition.type
  }
}

const defaults: Record<BuiltInField, Condition> = {
  searchText: { type: 'searchText', text: '' },
  tags: { type: 'hasAnyTag', tagIds: [] },
  lastInteraction: { type: 'lastInteraction', withinDays: 30 },
  firstSeen: { type: 'firstSeen', withinDays: 30 },
  createdAt: { type: 'createdAt', withinDays: 30 },
  chatCount: { type: 'chatCount', operator: 'gte', value: 1 },
  channels: { type: 'hasAnyChannel', channels: ['chatapp'] },
  optedOut: { type: 'optedOut', channel: 'chatapp' },
  inJourney: { type: 'inJourney', journeyId: '' },
  gotCampaign: { type: 'gotCampaign', campaignId: '' },
  performedEvent: { type: 'performedEvent', name: '', operator: 'gte', value: 1 },
  archiveStatus: { type: 'archiveStatus', status: 'archived' },
}

/** A new condition on the field; `type` is that of a custom field. */
export function createCondition(key: FieldKey, type: 'text' | 'date' = 'text'): Condition {
  if (!key.startsWith('field:')) return defaults[key as BuiltInField]
  const fieldId = key.slice('field:'.length)
  return type === 'date'
    ? { type: 'customFieldDate', fieldId, operator: 'withinNextDays', value: 30 }
    : { type: 'customFieldText', fieldId, operator: 'equals', value: '' }
}

const textOperators = ['equals', 'notEquals', 'contains', 'startsWith', 'isSet', 'isNotSet'] as const
const dateOperators = [
  'on',
  'before',
  'after',
  'withinNextDays',
  'withinLastDays',
  'anniversaryToday',
  'isSet',
  'isNotSet',
] as const
export type Operator =
  | (typeof textOperators)[number]
  | (typeof dateOperators)[number]
  | (typeof timeMembers)[number]
  | 'gte'
  | 'lte'
  | 'eq'
  | 'hasAnyTag'
  | 'notAnyTag'

/** The operators to choose from; none for fields that have only one. */
export function listOperators(condition: Condition): readonly Operator[] {
  if (isTime(condition)) return timeMembers
  if (condition.type === 'customFieldText') return textOperators
  if (condition.type === 'customFieldDate') return dateOperators
  if (isCount(condition)) return ['gte', 'lte', 'eq']
  return condition.type === 'hasAnyTag' || condition.type === 'notAnyTag' ? ['hasAnyTag', 'notAnyTag'] : []
}

export function toOperator(condition: Condition): Operator | undefined {
  if (isTime(condition)) return timeMembers.find(member => condition[member] !== undefined)
  if ('operator' in condition) return condition.operator
  return condition.type === 'hasAnyTag' || condition.type === 'notAnyTag' ? condition.type : undefined
}

export const hasDays = (operator: Operator | undefined) =>
  operator === 'withinDays' ||
  operator === 'notWithinDays' ||
  operator === 'withinNextDays' ||
  operator === 'withinLastDays'
export const hasNoValue = (operator: Operator | undefined) =>
  operator === 'isSet' || operator === 'isNotSet' || operator === 'anniversaryToday'

/** Changes the operator; a value of the same kind is kept. */
export function withOperator(condition: Condition, operator: Operator): Condition {
  if (condition.type === 'hasAnyTag' || condition.type === 'notAnyTag')
    return { type: operator as 'hasAnyTag', tagIds: condition.tagIds }
  if (isCount(condition)) return { ...condition, operator: operator as 'eq' }
  const isSameKind = hasDays(operator) === hasDays(toOperator(condition))
  const fresh = hasDays(operator) ? 30 : ''
  if (isTime(condition)) {
    const value = isSameKind ? toTimeValue(condition) : fresh
    return { type: condition.type, [operator]: value } as Condition
  }
  if (condition.type !== 'customFieldText' && condition.type !== 'customFieldDate') return condition
  const { type, fieldId, value } = condition
  if (hasNoValue(operator)) return { type, fieldId, operator } as Condition
  return { type, fieldId, operator, value: isSameKind ? (value ?? fresh) : fresh } as Condition
}

export const toTimeValue = (condition: TimeCondition) =>
  condition[(toOperator(condition) ?? 'withinDays') as (typeof timeMembers)[number]]

/** Whether the service would accept the condition. */
export function isComplete(item: Item): boolean {
  if (isGroup(item)) return item.conditions.length > 0 && item.conditions.every(isComplete)
  if (isTime(item)) return Boolean(toTimeValue(item))
  switch (item.type) {
    case 'searchText':
      return item.text.trim() !== ''
    case 'chatCount':
      return Number.isInteger(item.value)
    case 'performedEvent':
      return item.name.trim() !== '' && Number.isInteger(item.value)
    case 'notAnyTag':
      return item.tagIds.length > 0
    case 'hasAnyChannel':
      return item.channels.length > 0
    case 'inJourney':
      return item.journeyId !== ''
    case 'gotCampaign':
      return item.campaignId !== ''
    case 'customFieldText':
    case 'customFieldDate':
      return hasNoValue(item.operator) || (item.value !== undefined && item.value !== '')
    default:
      return true
  }
}

export const isCompleteFilter = ({ conditions }: Group) => conditions.every(isComplete)

export const countConditions = ({ conditions }: Group): number =>
  conditions.reduce((sum, item) => sum + (isGroup(item) ? countConditions(item) : 1), 0)

/** A row has one limit of a time: a condition with several becomes several, of which all must match. */
export function toRows({ match, conditions }: Group): Filter {
  const items = conditions.flatMap((item): Item[] => {
    if (isGroup(item)) return [toRows(item) as Item]
    if (!isTime(item)) return [item]
    const members = timeMembers.filter(member => item[member] !== undefined)
    if (members.length < 2) return [item]
    const parts = members.map(member => ({ type: item.type, [member]: item[member] }) as Condition)
    return match === 'all' ? parts : [{ match: 'all', conditions: parts }]
  })
  return { match, conditions: items }
}
