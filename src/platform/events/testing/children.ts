/** Starts, watches and kills the processes of child.fixture.ts. */
import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { bundled } from '../../../../test/harness/bundled.ts'
import type { ConnectionConfig } from '../../db/db.ts'
import { eventually } from './rig.ts'

export interface Child {
  readonly pid: number
  readonly leading: boolean
  readonly up: boolean
  signal(signal: NodeJS.Signals): void
}

export function children(connection: ConnectionConfig) {
  const alive = new Set<Child>()

  function start(): Child {
    const file = bundled(path.join(import.meta.dirname, 'child.fixture.ts'))
    const forked: ChildProcess = fork(file, [JSON.stringify(connection)])
    let leading: boolean | undefined
    forked.on('message', message => {
      leading = (message as { leading: boolean }).leading
    })
    const child: Child = {
      pid: forked.pid!,
      get leading() {
        return leading ?? false
      },
      get up() {
        return leading !== undefined
      },
      signal: signal => forked.kill(signal),
    }
    alive.add(child)
    forked.on('exit', () => alive.delete(child))
    return child
  }

  return {
    start,
    all: () => [...alive],
    leader: () => [...alive].find(child => child.leading),
    allUp: () =>
      eventually(() => {
        if (![...alive].every(child => child.up)) throw new Error('not all are up')
      }, 30_000),
    async killAll() {
      for (const child of alive) child.signal('SIGKILL')
      await eventually(() => {
        if (alive.size > 0) throw new Error('some are still alive')
      })
    },
  }
}
