/** Tests which values a template asks for, the message that they make, and the way back. */
import { expect, test } from 'vitest'
import {
  listFields,
  placeReasons,
  readFields,
  readLocation,
  type Template,
  toContent,
  toKey,
} from './fields.ts'

const template = (...components: object[]) =>
  ({
    id: '1',
    name: 'order_update',
    language: 'en_US',
    status: 'APPROVED',
    category: 'UTILITY',
    components,
  }) as unknown as Template

const order = template(
  { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
  { type: 'BODY', text: 'Hi {{2}}, your order {{1}} is now {{2}}.' },
  {
    type: 'BUTTONS',
    buttons: [
      { type: 'QUICK_REPLY', text: 'Thanks' },
      { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' },
      { type: 'COPY_CODE' },
    ],
  },
)

const fill = (of: Template, values: Record<string, string>) =>
  listFields(of).map(field => ({ ...field, value: values[toKey(field)] ?? '' }))
const toComponents = (of: Template, values: Record<string, string>) =>
  toContent(of, fill(of, values)).template.components

test('header, body and buttons have fields of their own, in the order of the numbers', () => {
  expect(listFields(order).map(toKey)).toEqual(['header 1', 'body 1', 'body 2', 'button 1 1', 'button 2 1'])
})

const values = {
  'header 1': ' 4711',
  'body 1': 'lamp',
  'body 2': 'Bo',
  'button 1 1': 'track/4711',
  'button 2 1': 'SUMMER',
}

test('each value is in its component, and a button is named by its position', () => {
  const components = toComponents(order, values)
  expect(components).toEqual([
    { type: 'header', parameters: [{ type: 'text', text: '4711' }] },
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'lamp' },
        { type: 'text', text: 'Bo' },
      ],
    },
    { type: 'button', subType: 'url', index: 1, parameters: [{ type: 'text', text: 'track/4711' }] },
    { type: 'button', subType: 'copy_code', index: 2, parameters: [{ type: 'coupon', coupon: 'SUMMER' }] },
  ])
  const known = readFields({ name: 'x', language: 'en', components: components! })!
  expect(listFields(order, known).map(({ value }) => value)).toEqual([
    '4711',
    'lamp',
    'Bo',
    'track/4711',
    'SUMMER',
  ])
})

test('a component without all its values is left out', () => {
  expect(toComponents(order, { ...values, 'body 2': ' ' })?.map(({ type }) => type)).toEqual([
    'header',
    'button',
    'button',
  ])
})

test('named placeholders keep their names, and a template without any has no components', () => {
  const named = template({ type: 'BODY', text: 'Hi {{first_name}}' })
  expect(toComponents(named, { 'body first_name': 'Bo' })).toEqual([
    { type: 'body', parameters: [{ type: 'text', text: 'Bo', name: 'first_name' }] },
  ])
  expect(toContent(template({ type: 'BODY', text: 'Hi' }), []).template).toEqual({
    name: 'order_update',
    language: 'en_US',
  })
})

test.each(['IMAGE', 'VIDEO', 'DOCUMENT'])('a header of the format %s needs a file', format => {
  const of = template({ type: 'HEADER', format }, { type: 'BODY', text: 'Hi' })
  expect(toComponents(of, { 'header file': 'mda_1' })).toEqual([
    { type: 'header', parameters: [{ type: 'media', media: { mediaId: 'mda_1' } }] },
  ])
})

const shop = template({ type: 'HEADER', format: 'LOCATION' }, { type: 'BODY', text: 'Hi {{1}}' })
const place = {
  'header latitude': '52,5219',
  'header longitude': '-13.4132',
  'header name': 'Shop',
  'header address': 'Alexanderplatz 1',
  'body 1': 'Bo',
}

test('a location needs two coordinates within their ranges, a name and an address', () => {
  const location = { latitude: 52.5219, longitude: -13.4132, name: 'Shop', address: 'Alexanderplatz 1' }
  expect(toComponents(shop, place)?.[0]).toEqual({
    type: 'header',
    parameters: [{ type: 'location', location }],
  })
  for (const wrong of [
    { 'header latitude': '91' },
    { 'header longitude': '-180.5' },
    { 'header latitude': 'north' },
    { 'header name': ' ' },
  ])
    expect(readLocation(fill(shop, { ...place, ...wrong }))).toBeUndefined()
})

test('a reason is at the field that its path names', () => {
  const at = (path: string, of = shop, given: Record<string, string> = place) => [
    ...placeReasons(fill(of, given), [{ path: `content.${path}`, reason: 'x' }]).keys(),
  ]
  expect(at('template.components[0].parameters[0].location.address')).toEqual(['header address'])
  expect(at('template.components[1].parameters[0].text')).toEqual(['body 1'])
  expect(at('template.components[1].parameters[1].text', order, values)).toEqual(['body 2'])
  expect(at('template.components[0]', shop, { 'body 1': 'Bo' })).toEqual(['body 1'])
  expect(at('template.name')).toEqual([])
})

test('a message with parameters of another kind has no fields', () => {
  const parameters = [{ type: 'payload' as const, payload: 'x' }]
  const components = [{ type: 'button' as const, subType: 'quick_reply' as const, index: 0, parameters }]
  expect(readFields({ name: 'x', language: 'en', components })).toBeUndefined()
})
