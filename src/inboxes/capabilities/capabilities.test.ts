import { describe, expect, test } from 'vitest'
import { templates } from '../../sandbox/chatapp/catalogue.ts'
import type { Content, SendableContent } from '../content.ts'
import { parseTemplate } from '../providers/chatapp/catalogue.ts'
import { findContentViolation } from './content.ts'
import { findTemplateViolations } from './template.ts'

type TemplateContent = Extract<Content, { type: 'template' }>
type Components = TemplateContent['template']['components']

const known = (name: string) =>
  parseTemplate({ ...templates.find(one => one.name === name && one.language === 'en_US')!, id: '1' })
const faults = (name: string, components: Components = []) =>
  findTemplateViolations(known(name), {
    type: 'template',
    template: { name, language: 'en_US', components },
  }).map(one => `${one.field} ${one.code}`)
const text = (value: string, name?: string) => ({
  type: 'text' as const,
  text: value,
  ...(name ? { name } : {}),
})
const media = { type: 'media' as const, media: { mediaId: 'mda_1' } }
const at = 'content.template.components'

describe('templates', () => {
  test('accepts matching parameters', () => {
    expect(faults('hello_world')).toEqual([])
    expect(faults('greeting', [{ type: 'body', parameters: [text('Ana')] }])).toEqual([])
    expect(
      faults('order_update', [
        { type: 'header', parameters: [text('1')] },
        {
          type: 'body',
          parameters: [text('1'), { type: 'dateTime', dateTime: { fallbackValue: 'x' } }, text('3')],
        },
        { type: 'button', subType: 'url', index: 1, parameters: [text('1042')] },
      ]),
    ).toEqual([])
    expect(
      faults('invoice_ready', [
        { type: 'header', parameters: [media] },
        { type: 'body', parameters: [text('1')] },
      ]),
    ).toEqual([])
  })

  test('the header of a template may be a location, and must be one then', () => {
    const place = { latitude: 52.52, longitude: 13.405, name: 'Shop', address: 'Alexanderplatz 1, Berlin' }
    const location = { type: 'location' as const, location: place }
    const withHeader = (parameter: typeof location | typeof media) =>
      [
        { type: 'header' as const, parameters: [parameter] },
        { type: 'body' as const, parameters: [text('Ana')] },
      ] satisfies Components
    expect(faults('store_location', withHeader(location))).toEqual([])
    expect(faults('store_location', withHeader(location).slice(1))).toEqual([`${at} missing_parameter`])
    expect(faults('store_location', withHeader(media))).toEqual([`${at}[0].parameters[0].type invalid_value`])
    expect(faults('product_tour', withHeader(location))).toEqual([
      `${at}[0].parameters[0].type invalid_value`,
    ])
  })

  test('reports missing and extra parameters by path', () => {
    expect(faults('greeting')).toEqual([`${at} missing_parameter`])
    expect(faults('greeting', [{ type: 'body', parameters: [text('1'), text('2')] }])).toEqual([
      `${at}[0].parameters[1] extra_parameter`,
    ])
    expect(faults('hello_world', [{ type: 'header', parameters: [text('1')] }])).toEqual([
      `${at}[0].parameters[0] extra_parameter`,
    ])
    expect(faults('order_update', [{ type: 'body', parameters: [text('1')] }])).toEqual([
      `${at} missing_parameter`,
      `${at}[0].parameters missing_parameter`,
      `${at}[0].parameters missing_parameter`,
      `${at} missing_parameter`,
    ])
  })

  test('reports wrong types, duplicate parts and unknown buttons', () => {
    expect(faults('invoice_ready', [{ type: 'header', parameters: [text('1')] }])[0]).toBe(
      `${at}[0].parameters[0].type invalid_value`,
    )
    expect(faults('greeting', [{ type: 'body', parameters: [media] }])).toEqual([
      `${at}[0].parameters[0].type invalid_value`,
    ])
    const body = { type: 'body' as const, parameters: [text('1')] }
    expect(faults('greeting', [body, body])).toEqual([`${at}[1] duplicate`])
    expect(faults('greeting', [body, { type: 'button', index: 0, parameters: [] }])).toEqual([
      `${at}[1].index extra_parameter`,
    ])
  })

  test('matches named parameters by name', () => {
    const given = (...names: string[]) => [
      { type: 'body' as const, parameters: names.map(one => text('x', one)) },
    ]
    expect(faults('payment_due', given('first_name', 'amount', 'due_date'))).toEqual([])
    expect(faults('payment_due', given('due_date', 'first_name', 'amount'))).toEqual([])
    expect(faults('payment_due', given('first_name', 'amount', 'nick'))).toEqual([
      `${at}[0].parameters missing_parameter`,
      `${at}[0].parameters[2].name extra_parameter`,
    ])
  })

  test('rejects templates that are not approved', () => {
    expect(faults('paused_offer')).toEqual(['content.template.name template_not_approved'])
  })
})

describe('content by channel', () => {
  const field = (channel: 'chatapp' | 'socialapp' | 'sms', content: SendableContent) =>
    findContentViolation(channel, content)?.field
  const rich = (actions: object[], rest: object = {}): SendableContent =>
    ({ type: 'rich', rich: { body: { text: 'x' }, actions, ...rest } }) as SendableContent
  const reply = (id: string) => ({ type: 'reply', id, title: id })
  const url = { type: 'url', title: 'x', url: 'https://x.example' }
  const said = (body: string): SendableContent => ({ type: 'text', text: { body } })

  test('content types', () => {
    const template: SendableContent = { type: 'template', template: { name: 'a', language: 'en' } }
    expect(field('chatapp', template)).toBeUndefined()
    expect(field('socialapp', template)).toBe('content.type')
    expect(field('sms', rich([reply('a')]))).toBe('content.type')
  })
  test('text length in the unit of the provider', () => {
    expect(field('chatapp', said('😀'.repeat(4096)))).toBeUndefined()
    expect(field('chatapp', said('x'.repeat(4097)))).toBe('content.text.body')
    expect(field('socialapp', said('é'.repeat(500)))).toBeUndefined()
    expect(field('socialapp', said('é'.repeat(501)))).toBe('content.text.body')
    expect(field('sms', said('x'.repeat(1601)))).toBe('content.text.body')
  })
  test('rich content', () => {
    expect(field('chatapp', rich(['a', 'b', 'c'].map(reply)))).toBeUndefined()
    expect(field('chatapp', rich(['a', 'b', 'c', 'd'].map(reply)))).toBe('content.rich.actions')
    expect(field('chatapp', rich([reply('a'), url]))).toBe('content.rich.actions[1].type')
    expect(field('chatapp', rich([url, url]))).toBe('content.rich.actions')
    expect(field('chatapp', rich([reply('a'), reply('a')]))).toBe('content.rich.actions')
    expect(field('chatapp', rich([url], { body: { text: 'x'.repeat(1025) } }))).toBe('content.rich.body.text')
    const rows = Array.from({ length: 6 }, (_, i) => ({ id: String(i), title: 'x' }))
    const list = (sections: object[]) => ({ type: 'list', title: 'x', sections })
    expect(field('chatapp', rich([list([{ rows }])], { body: { text: 'x'.repeat(4000) } }))).toBeUndefined()
    const more = rows.map(row => ({ ...row, id: `b${row.id}` }))
    expect(field('chatapp', rich([list([{ rows }, { rows: more }])]))).toBe(
      'content.rich.actions[0].sections',
    )
    expect(
      field('chatapp', rich([list([{ rows }])], { header: { type: 'media', media: { mediaId: 'm' } } })),
    ).toBe('content.rich.header')
    expect(field('socialapp', rich([list([{ rows }])]))).toBe('content.rich.actions[0].type')
    expect(field('socialapp', rich([reply('a'), url]))).toBeUndefined()
    expect(field('socialapp', rich([url, url, url, url]))).toBe('content.rich.actions')
  })
  test('captions', () => {
    const content: SendableContent = { type: 'media', media: { mediaId: 'm', caption: 'x' } }
    expect(field('sms', content)).toBeUndefined()
    expect(field('socialapp', content)).toBe('content.media.caption')
  })
})
