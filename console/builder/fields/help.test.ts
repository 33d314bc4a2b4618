/** Tests that every kind of node is explained in German. */
import { afterEach, expect, test } from 'vitest'
import { getCatalogue } from '../../../src/workflows/catalogue.ts'
import { language } from '../../i18n/i18n.ts'
import type { Catalogue } from '../model/definition.ts'
import { getHelp } from './help.ts'

afterEach(() => language.set('en'))

const { nodes } = getCatalogue() as Catalogue

test('every kind of node has a German explanation, and the English one is that of the service', () => {
  for (const node of nodes) expect(getHelp(node)).toBe(node.docs.replaceAll('`', ''))
  language.set('de')
  expect(
    nodes.filter(node => getHelp(node) === node.docs.replaceAll('`', '')).map(({ type }) => type),
  ).toEqual([])
})

test('a kind that this console does not know keeps the words of the service', () => {
  language.set('de')
  expect(getHelp({ ...nodes[0]!, type: 'newer', docs: 'Does `more`.' })).toBe('Does more.')
})
