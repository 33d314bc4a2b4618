/** Values that texts and expressions read: checked when a workflow is published, null when they are missing. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, testApi } from '../../../test/harness/api.ts'
import { buildDefinition, expectStatus, text } from '../testing/fixtures.ts'

const api = await testApi()
let owner: Client

beforeAll(async () => {
  owner = (await api.workspace()).owner
  await expectStatus(owner.post('/contacts/custom-fields', { name: 'Favourite colour', type: 'text' }), 201)
})

type Nodes = Parameters<typeof buildDefinition>[0]
const start: Nodes[string] = ['start', { triggerConfig: { type: 'manual' }, entryMode: 'every_time' }]

async function create(nodes: Nodes, edges: string[]): Promise<string> {
  const definition = buildDefinition({ start, ...nodes }, edges)
  return (await expectStatus(owner.post('/journeys', { name: 'J', definition }), 201)).id
}

/** Publishes a journey and returns its violations as `path code: message`, with paths relative to the data of `n`. */
async function publish(nodes: Nodes, edges: string[] = ['start > n']): Promise<string[]> {
  const id = await create(nodes, edges)
  const { status, body } = await owner.post(`/journeys/${id}/publish`)
  if (status === 200) return []
  return body.violations.map(
    ({ field, code, message }: Record<string, string>) =>
      `${field!.replace('definition.nodes[1].data.', '')} ${code}: ${message}`,
  )
}

const say = (body: string): Nodes[string] => ['sendMessage', { content: text(body) }]
const when = (expression: string): Nodes[string] => ['branch', { cases: [{ id: 'yes', expression }] }]
const toCase = (condition: string) => ({ condition })
const violation = (field: string, type: string) => ({
  field,
  code: 'invalid_expression',
  message: `must be true or false, but its type is "${type}"`,
})
const set = (name: string): Nodes[string] => ['setVariable', { name, value: 'x' }]

describe('400 on publishing', () => {
  test.each([
    ['{{contact.nmae}}', 'unknown_contact_field: contact has no field "nmae"; did you mean "name"?'],
    ['{{contact.zodiac}}', 'unknown_contact_field: contact has no field "zodiac"'],
    [
      '{{contact.customFields.Favorite colour}}',
      'unknown_custom_field: "Favorite colour" is not the name of a custom field; did you mean "Favourite colour"?',
    ],
    ['{{message.txet}}', 'unknown_value: message has no field "txet"; did you mean "text"?'],
    ['{{variables.x}}', 'unknown_variable: no node sets the variable "x"'],
  ])('for the text %s', async (body, violation) => {
    expect(await publish({ n: say(body) })).toEqual([`content.text.body ${violation}`])
  })

  test.each([
    ['contact.nmae == "x"', 'unknown_contact_field: contact has no field "nmae"; did you mean "name"?'],
    [
      'contact["customFields"]["Colour"] == "x"',
      'unknown_custom_field: "Colour" is not the name of a custom field',
    ],
    ['variables.x > 1', 'unknown_variable: no node sets the variable "x"'],
    ['contact.name > 5', 'invalid_expression: cannot be evaluated: no such overload: string > int'],
    [
      'contact.name && true',
      "invalid_expression: cannot be evaluated: Logical operator requires bool operands, got 'string'",
    ],
    ['contact.name', 'invalid_expression: must be true or false, but its type is "string"'],
    ['size(event.data.items)', 'invalid_expression: must be true or false, but its type is "int"'],
    ['"yes"', 'invalid_expression: must be true or false, but its type is "string"'],
    ['contact.tagIds', 'invalid_expression: must be true or false, but its type is "list<string>"'],
    ['now', 'invalid_expression: must be true or false, but its type is "Timestamp"'],
    ['message', 'invalid_expression: must be true or false, but its type is "message"'],
    ['null', 'invalid_expression: must be true or false, but its type is "null"'],
  ])('for the expression %s', async (expression, violation) => {
    expect(await publish({ n: when(expression) })).toEqual([`cases[0].expression ${violation}`])
  })

  test('for conditions of waitFor and exitWhen that are not true or false; also as the result of validate', async () => {
    const condition = 'message.text'
    const exitWhen = [{ condition: 'conversation.status == "closed"' }, { condition: 'size(contact.name)' }]
    const draft = buildDefinition(
      { start: ['start', { exitWhen }], n: ['waitFor', { cases: ['true', condition].map(toCase) }] },
      ['start > n'],
    )
    const { id } = await expectStatus(owner.post('/chatbots', { name: 'B', draft }), 201)
    const expected = [
      violation('draft.nodes[0].data.exitWhen[1].condition', 'int'),
      violation('draft.nodes[1].data.cases[1].condition', 'string'),
    ]
    const { violations } = await expectStatus(owner.post(`/chatbots/${id}/publish`), 400)
    expect(violations).toEqual(expected)
    const validated = await expectStatus(owner.post(`/chatbots/${id}/validate`), 200)
    expect(validated.violations).toEqual(expected)
  })

  test('for a value without placeholders that the custom field does not accept', async () => {
    const field = await expectStatus(
      owner.post('/contacts/custom-fields', { name: 'Due', type: 'date' }),
      201,
    )
    const setDue = (value: string | null) => publish({ n: ['setField', { fieldId: field.id, value }] })
    expect(await setDue('tomorrow')).toEqual([
      'value invalid_date: must be a date such as 2026-01-31 or an RFC 3339 timestamp',
    ])
    for (const value of ['2026-01-31', '{{event.data.due}}', '', null])
      expect(await setDue(value)).toEqual([])
  })

  test('for the unknown id of a field, with the id of the closest field', async () => {
    const { customFields } = await expectStatus(owner.get('/contacts/custom-fields'), 200)
    const { id } = customFields.find(({ name }: { name: string }) => name === 'Favourite colour')
    expect(await publish({ n: ['setField', { fieldId: 'Favourite color', value: 'red' }] })).toEqual([
      `fieldId unknown_custom_field: is not a custom field of this workspace; did you mean "${id}" (Favourite colour)?`,
    ])
  })

  test('for a variable that is set on no path to the node, or is misspelt', async () => {
    const later = { n: say('{{variables.plan}}'), later: set('plan') }
    expect(await publish(later, ['start > n', 'n > later'])).toEqual([
      'content.text.body unknown_variable: no path to this node sets the variable "plan"',
    ])
    const misspelt = { n: say('{{variables.paln}}'), first: set('plan') }
    expect(await publish(misspelt, ['start > first', 'first > n'])).toEqual([
      'content.text.body unknown_variable: no node sets the variable "paln"; did you mean "plan"?',
    ])
  })
})

test('200 for values that exist, comparisons with null, and variables set on one of the paths or in a loop', async () => {
  const nodes: Nodes = {
    which: when('contact.name == null || contact.customFields["Favourite colour"] != "red"'),
    plan: set('plan'),
    say: say('{{variables.plan | default: "none"}} {{contact.email}} {{event.data.anything}}'),
    count: ['setVariable', { name: 'n', expression: 'has(variables.n) ? variables.n + 1 : 1' }],
    again: ['jump', { to: 'count', max: 2 }],
    unknown: when('variables.n'),
    orNull: when('has(variables.n) ? event.data.n : true'),
  }
  const edges = ['start > which', 'which:yes > plan', 'which:else > say', 'plan > say', 'say > count']
  expect(
    await publish(nodes, [...edges, 'count > unknown', 'unknown:else > orNull', 'orNull:else > again']),
  ).toEqual([])
})

test.each([
  'event.data.total > 100',
  'event.data.order.items[3].price + 1 >= 1',
  'event.data.items.exists(item, item.price > 1)',
  'event.data.name.startsWith("A")',
  'size(event.data.items) > 0 && true',
  'message.text == "yes"',
  'event.data.plan in ["gold"]',
  'contact.customFields["Favourite colour"] == "red"',
])('else for a missing value: %s', async expression => {
  const id = await create({ n: when(expression), yes: ['end'], no: ['end'] }, [
    'start > n',
    'n:yes > yes',
    'n:else > no',
  ])
  const { status, nodeId, error } = await expectStatus(owner.post(`/journeys/${id}/simulate`), 200)
  expect({ status, nodeId, error }).toEqual({ status: 'completed', nodeId: 'no', error: null })
})
