import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('each line has the process, its roles, the level by name and the time; children add to it', () => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const log = createLog('info', { roles: 'http,worker', destination })
  log.info('first')
  log.child({ job: 'a' }).warn({ token: 'abc' }, 'second')
  log.debug('not logged')
  const base = { pid: process.pid, roles: 'http,worker', time: expect.stringMatching(/^\d{4}-.*Z$/) }
  expect(lines.map(line => JSON.parse(line))).toEqual([
    { ...base, level: 'info', msg: 'first' },
    { ...base, level: 'warn', job: 'a', token: '[secret]', msg: 'second' },
  ])
})
