/** Generates random conditions and filters for property tests. */
import fc from 'fast-check'
import type { Condition, ContactFilter } from '../filter/filter.ts'
import { ago, date, daysAgo, eventNames, type TestWorkspace, text } from './contacts.ts'

const period = fc
  .record(
    {
      after: daysAgo.map(days => ago(days).toISOString()),
      before: daysAgo.map(days => ago(days).toISOString()),
      withinDays: fc.integer({ min: 1, max: 60 }),
      notWithinDays: fc.integer({ min: 1, max: 60 }),
    },
    { requiredKeys: [] },
  )
  .filter(one => Object.keys(one).length > 0)

function timed(type: string) {
  return period.map(one => ({ type, ...one }))
}

export function anyCondition(world: TestWorkspace): fc.Arbitrary<Condition> {
  return fc.oneof(
    fc.record({
      type: fc.constant('searchText'),
      text: fc.oneof(text, fc.constantFrom('alp', 'BETA', '0%', '+1415', '15500')),
    }),
    fc.record({ type: fc.constant('archiveStatus'), status: fc.constantFrom('active', 'archived', 'any') }),
    timed('createdAt'),
    timed('firstSeen'),
    timed('lastInteraction'),
    fc.record(
      {
        type: fc.constant('chatCount'),
        operator: fc.constantFrom('eq', 'gte', 'lte'),
        value: fc.integer({ min: 0, max: 4 }),
        windowDays: fc.integer({ min: 1, max: 60 }),
      },
      { requiredKeys: ['type', 'operator', 'value'] },
    ),
    fc.record({
      type: fc.constant('customFieldText'),
      fieldId: fc.constantFrom(world.textField, 'cf_email'),
      operator: fc.constantFrom('equals', 'notEquals', 'contains', 'startsWith', 'isSet', 'isNotSet'),
      value: text,
    }),
    fc.record({
      type: fc.constant('customFieldDate'),
      fieldId: fc.constant(world.dateField),
      operator: fc.constantFrom('on', 'before', 'after', 'anniversaryToday', 'isSet', 'isNotSet'),
      value: date,
    }),
    fc.record({
      type: fc.constant('customFieldDate'),
      fieldId: fc.constant(world.dateField),
      operator: fc.constantFrom('withinNextDays', 'withinLastDays'),
      value: fc.integer({ min: 0, max: 400 }),
    }),
    fc.record({ type: fc.constant('hasAnyTag'), tagIds: fc.subarray(world.tagIds) }),
    fc.record({ type: fc.constant('notAnyTag'), tagIds: fc.subarray(world.tagIds, { minLength: 1 }) }),
    fc.record({
      type: fc.constant('optedOut'),
      channel: fc.constantFrom('chatapp', 'socialapp', 'sms'),
    }),
    fc.record({ type: fc.constant('inJourney'), journeyId: fc.constantFrom(...world.journeyIds) }),
    fc.record({ type: fc.constant('gotCampaign'), campaignId: fc.constantFrom(...world.campaignIds) }),
    fc.record({ type: fc.constant('createdByImport'), importId: fc.constantFrom(...world.importIds) }),
    fc.record(
      {
        type: fc.constant('performedEvent'),
        name: fc.constantFrom(...eventNames),
        operator: fc.constantFrom('eq', 'gte', 'lte'),
        value: fc.integer({ min: 0, max: 3 }),
        windowDays: fc.integer({ min: 1, max: 60 }),
      },
      { requiredKeys: ['type', 'name', 'operator', 'value'] },
    ),
    fc.record({
      type: fc.constant('hasAnyChannel'),
      channels: fc.subarray(['chatapp', 'socialapp', 'sms'], { minLength: 1 }),
    }),
    fc.constant({ type: 'never' }),
  )
}

const match = fc.constantFrom('all' as const, 'any' as const)

/** Filters with groups, up to three levels. */
export function anyFilter(world: TestWorkspace): fc.Arbitrary<ContactFilter> {
  const condition = anyCondition(world)
  const group = (items: fc.Arbitrary<ContactFilter['conditions'][number]>) =>
    fc.record({ match, conditions: fc.array(items, { minLength: 1, maxLength: 3 }) })
  const subgroup = group(condition)
  const nested = group(fc.oneof({ arbitrary: condition, weight: 2 }, { arbitrary: subgroup, weight: 1 }))
  const item = fc.oneof({ arbitrary: condition, weight: 3 }, { arbitrary: nested, weight: 1 })
  return fc.record({ match, conditions: fc.array(item, { maxLength: 4 }) })
}
