/** Starts, stops and kills the processes of child.fixture.ts. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { bundled } from '../../../../test/harness/bundled.ts'
import type { ConnectionConfig } from '../../db/db.ts'

export function children(connection: ConnectionConfig) {
  const alive = new Set<ChildProcess>()
  return {
    /** Two workers in one process race more; the service starts one. */
    async start(workerCount = 2): Promise<ChildProcess> {
      const file = bundled(path.join(import.meta.dirname, 'child.fixture.ts'))
      const child = fork(file, [JSON.stringify(connection), String(workerCount)])
      alive.add(child)
      child.on('exit', () => alive.delete(child))
      await once(child, 'message')
      return child
    },
    all: () => [...alive],
    async killAll(): Promise<void> {
      const ends = [...alive].map(child => once(child, 'exit'))
      for (const child of alive) child.kill('SIGKILL')
      await Promise.all(ends)
    },
  }
}
