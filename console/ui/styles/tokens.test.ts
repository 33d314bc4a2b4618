/** Checks the design tokens: their contrast, and that no colour or pixel value is written elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const folder = path.resolve(import.meta.dirname, '../..')
const tokens = readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8')

/** Returns the colours of a rule, by name, as [light, dark]. */
function readColours(selector: string): Record<string, [string, string]> {
  const rule = tokens.slice(tokens.indexOf(`${selector} {`))
  const body = rule.slice(0, rule.indexOf('}'))
  const matches = body.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)
  return Object.fromEntries(
    [...matches].map(([, name, light, dark]) => [name!, [light!, dark!] as [string, string]]),
  )
}

function toLuminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map(start => Number.parseInt(colour.slice(start, start + 2), 16) / 255)
    .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(a: string, b: string): number {
  const [high, low] = [toLuminance(a), toLuminance(b)].sort((x, y) => y - x)
  return (high! + 0.05) / (low! + 0.05)
}

const texts = ['text', 'text-muted', 'accent', 'danger', 'warning', 'success']
const grounds = ['bg', 'surface', 'accent-subtle']

test.each([
  [':root', 4.5, 3],
  [':root[data-contrast="more"]', 7, 7],
])('the colours of %s have enough contrast', (selector, minText, minBorder) => {
  const colours = readColours(selector)
  const pairs = [
    ...texts.flatMap(text => grounds.map(ground => [text, ground, minText] as const)),
    ...['bg', 'surface'].map(ground => ['control-border', ground, minBorder] as const),
    ['on-accent', 'accent', minText] as const,
    ['note-text', 'note-bg', minText] as const,
  ]
  for (const theme of [0, 1])
    for (const [a, b, min] of pairs)
      expect(contrast(colours[a]![theme]!, colours[b]![theme]!), `${a} on ${b}`).toBeGreaterThanOrEqual(min)
})

test('stylesheets other than the tokens have no colours and no pixel values', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.css') && file !== path.join('ui', 'styles', 'tokens.css'),
  )
  expect(files.length).toBeGreaterThan(10)
  const found = files.flatMap(file =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .filter(
        line =>
          !/^@(media|container)/.test(line) && /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsl|\d(px|rem)\b/.test(line),
      )
      .map(line => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
