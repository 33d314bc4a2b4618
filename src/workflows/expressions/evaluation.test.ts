import { expect, test } from 'vitest'
import { evaluate } from './evaluation.ts'

/** Needs a thread: it takes more steps than this thread allows. */
const expensive = 'event.l.all(x, x >= 0)'
const numbers = { event: { l: Array.from({ length: 10_000 }, (_, i) => i) } }

test('an evaluation that needs too much memory fails; its thread is replaced, and others go on', async () => {
  // Takes more memory in the thread than it has, before the first step.
  const huge = { event: { l: Array.from({ length: 1_500_000 }, (_, i) => ({ i })) } }
  const hostile = expect(evaluate('tn_hostile', 'event.l.all(x, x.i >= 0)', huge, 'wait')).rejects.toThrow(
    'was stopped twice because it used too much memory or time',
  )
  for (let n = 0; n < 5; n++) expect(await evaluate('tn_other', expensive, numbers, 'wait')).toBe(true)
  await hostile
  for (const tenantId of ['tn_hostile', 'tn_other'])
    expect(await evaluate(tenantId, expensive, numbers, 'wait')).toBe(true)
})
