/** Tests which characters of a message are marks. */
import { describe, expect, test } from 'vitest'
import { splitMarks } from './format-marks.ts'

/** Returns the parts as text, with the kind of those that are marked. */
const show = (text: string) =>
  splitMarks(text).map(part => (typeof part === 'string' ? part : `${part.kind}(${part.text})`))

describe('marks in a message', () => {
  test.each([
    ['*bold*, _italic_ and ~gone~', ['bold(bold)', ', ', 'italic(italic)', ' and ', 'strike(gone)']],
    ['*a* *b*', ['bold(a)', ' ', 'bold(b)']],
    ['see `the code`', ['see ', 'code(the code)']],
    ['```one line```', ['code(one line)']],
    ['try ```\na = 1\nb = 2\n``` now', ['try ', 'code(a = 1\nb = 2)', ' now']],
    ['https://example.com/a?b=c.', ['link(https://example.com/a?b=c)', '.']],
  ])('found: %j', (text, parts) => {
    expect(show(text)).toEqual(parts)
  })

  test.each(['2 * 3 * 4', '* one\n* two', '- * star *', 'snake_case_name', '~ about ~ 5', '``````', '** **'])(
    'left as written: %j',
    text => {
      expect(splitMarks(text).filter(part => typeof part !== 'string')).toEqual([])
    },
  )

  test('a long text of marks takes no longer than its length allows', () => {
    const startedAt = performance.now()
    for (const mark of ['*', '_', '~', '`', '* ', 'a*']) splitMarks(mark.repeat(32_768))
    for (const mark of ['```', '`', '*', '_', '~']) splitMarks(mark + 'a '.repeat(100_000))
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})
