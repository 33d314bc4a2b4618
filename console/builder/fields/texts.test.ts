/** Tests how fields are named where they stand alone, such as in the list of problems. */
import { afterEach, expect, test } from 'vitest'
import { language } from '../../i18n/i18n.ts'
import { nameField } from './texts.ts'

afterEach(() => language.set('en'))

test('fields have the labels of the settings, and entries of lists are counted from 1', () => {
  expect(nameField('')).toBe('')
  expect(nameField('tagId')).toBe('Tag')
  expect(nameField('content.text.body')).toBe('Message › Text')
  expect(nameField('cases[0].expression')).toBe('Cases 1 › Expression')
  expect(nameField('cases[1].filter.conditions[0].newer')).toBe('Cases 2 › Condition 1 › newer')
  expect(nameField('triggerConfig.conditions')).toBe('Trigger › Only contacts that match')
  language.set('de')
  expect(nameField('cases[0].expression')).toBe('Fälle 1 › Ausdruck')
})
