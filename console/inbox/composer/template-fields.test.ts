/** Tests which values a template asks for, and the message that they make. */
import { expect, test } from 'vitest'
import { listFields, type Template, toContent } from './template-fields.ts'

const template: Template = {
  id: '1',
  name: 'order_update',
  language: 'en_US',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
    { type: 'BODY', text: 'Hi {{1}}, your order {{2}} is now {{1}}.' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Thanks' },
        { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' },
      ],
    },
  ],
}

test('header, body and the addresses of buttons have fields of their own', () => {
  expect(listFields(template).map(({ key }) => key)).toEqual(['header 1', 'body 1', 'body 2', 'button 1 1'])
})

test('each value is in its component, and a button is named by its position', () => {
  const values = { 'header 1': ' 4711', 'body 1': 'Bo', 'body 2': 'lamp', 'button 1 1': 'track/4711' }
  expect(toContent(template, values).template.components).toEqual([
    { type: 'header', parameters: [{ type: 'text', text: '4711' }] },
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Bo' },
        { type: 'text', text: 'lamp' },
      ],
    },
    { type: 'button', subType: 'url', index: 1, parameters: [{ type: 'text', text: 'track/4711' }] },
  ])
})

test('named placeholders keep their names, and a template without any has no components', () => {
  const named = { ...template, components: [{ type: 'BODY', text: 'Hi {{first_name}}' }] }
  expect(toContent(named, { 'body first_name': 'Bo' }).template.components).toEqual([
    { type: 'body', parameters: [{ type: 'text', text: 'Bo', name: 'first_name' }] },
  ])
  const plain = { ...template, components: [{ type: 'BODY', text: 'Hi' }] }
  expect(toContent(plain, {}).template).toEqual({ name: 'order_update', language: 'en_US' })
})
