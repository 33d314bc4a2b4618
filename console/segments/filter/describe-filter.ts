/** Says in a sentence which contacts a filter finds. */
import { toTitle } from '../../app/field-title.ts'
import { formatDate } from '../../i18n/format.ts'
import { channelNames } from '../../inbox/channels.ts'
import {
  type Condition,
  type Group,
  type Item,
  isComplete,
  isGroup,
  isTime,
  toOperator,
} from './conditions.ts'
import type { ReferenceLists } from './references.ts'
import { filterTexts } from './texts.ts'

const find = (items: readonly { id: string; name: string }[], id: string, missing: string) =>
  items.find(item => item.id === id)?.name ?? missing

export function describeFilter(filter: Group, lists: ReferenceLists): string {
  const { sentence } = filterTexts()
  return filter.conditions.length === 0
    ? sentence.everyone
    : sentence.start(join(filter, lists, false)).replace('….', '…')
}

function join({ match, conditions }: Group, lists: ReferenceLists, isNested: boolean): string {
  const { sentence } = filterTexts()
  const parts = conditions.map(item => describeItem(item, lists, conditions.length > 1))
  const text = parts.join(match === 'all' ? sentence.and : sentence.or)
  return isNested && parts.length > 1 ? `(${text})` : text
}

export function describeItem(item: Item, lists: ReferenceLists, isNested: boolean): string {
  if (isGroup(item)) return join(item, lists, isNested)
  return isComplete(item) ? describeCondition(item, lists) : filterTexts().sentence.incomplete
}

function describeCondition(condition: Condition, lists: ReferenceLists): string {
  const { sentence, operators, unknown, deletedTag } = filterTexts()
  if (isTime(condition)) return describeTime(condition)
  switch (condition.type) {
    case 'searchText':
      return sentence.searchText(condition.text)
    case 'hasAnyTag':
    case 'notAnyTag':
      return sentence[condition.type](condition.tagIds.map(id => find(lists.tags, id, deletedTag)))
    case 'hasAnyChannel':
      return sentence.channels(condition.channels.map(channel => channelNames[channel]))
    case 'optedOut':
      return sentence.optedOut(channelNames[condition.channel])
    case 'inJourney':
      return sentence.inJourney(find(lists.journeys, condition.journeyId, unknown))
    case 'gotCampaign':
      return sentence.gotCampaign(find(lists.campaigns, condition.campaignId, unknown))
    case 'archiveStatus':
      return sentence.archive[condition.status]
    case 'chatCount':
      return sentence.chats(operators[condition.operator], condition.value, condition.windowDays)
    case 'performedEvent':
      return sentence.performed(
        condition.name,
        operators[condition.operator],
        condition.value,
        condition.windowDays,
      )
    case 'createdByImport':
      return sentence.createdByImport
    case 'never':
      return sentence.never
    default:
      return describeField(condition, lists)
  }
}

type TimeCondition = Parameters<typeof describeTime>[0]

function describeTime(
  condition: Extract<Condition, { type: 'createdAt' | 'firstSeen' | 'lastInteraction' }>,
) {
  const { sentence } = filterTexts()
  const [did, didNot] = sentence.time[condition.type] as [string, string]
  const limit = (at: string, toText: (day: string) => string) => toText(formatDate(at))
  const parts: string[] = []
  if (condition.withinDays) parts.push(did + sentence.withinDays(condition.withinDays))
  if (condition.notWithinDays) parts.push(didNot + sentence.withinDays(condition.notWithinDays))
  if (condition.after) parts.push(did + limit(condition.after, sentence.after))
  if (condition.before) parts.push(did + limit(condition.before, sentence.before))
  return parts.join(sentence.and)
}

type FieldCondition = Exclude<
  Extract<Condition, { type: 'customFieldText' | 'customFieldDate' }>,
  TimeCondition
>

function describeField(condition: FieldCondition, { fields }: ReferenceLists): string {
  const { sentence, operators, deletedField } = filterTexts()
  const field = toTitle(find(fields, condition.fieldId, deletedField))
  const operator = toOperator(condition)!
  if (operator === 'isSet' || operator === 'isNotSet') return sentence.set(field, operator === 'isSet')
  if (condition.type === 'customFieldText')
    return sentence.text(field, operators[operator], condition.value ?? '')
  const { value } = condition
  const days = Number(value)
  const day = typeof value === 'string' ? formatDate(value) : ''
  const texts: Partial<Record<typeof operator, string>> = {
    on: sentence.on(day),
    before: sentence.beforeDate(day),
    after: sentence.afterDate(day),
    withinNextDays: sentence.nextDays(days),
    withinLastDays: sentence.lastDays(days),
    anniversaryToday: sentence.anniversary,
  }
  return sentence.date(field, texts[operator] ?? '')
}
