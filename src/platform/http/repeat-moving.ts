/** Repeats requests of a workspace that is moving to another cell: they wait for the pause, and run where it is then. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { toMove } from '../db/moving.ts'
import type { Cells } from '../deps.ts'

/** Longer than the pause of a move. */
const maxWaitMs = 8_000
const pollMs = 100

/** Nothing of a refused transaction was stored, and nothing was answered. A form is read once and is not repeated. */
export async function repeatWhileMoving<T>(
  request: FastifyRequest,
  cells: Cells,
  run: () => Promise<T>,
): Promise<T> {
  for (const deadline = performance.now() + maxWaitMs; ; ) {
    try {
      return await run()
    } catch (error) {
      const move = toMove(error)
      if (!move || request.isMultipart() || performance.now() > deadline) throw error
      if (move.cell === undefined) await sleep(pollMs)
      cells.relocate(move.tenantId, move.cell)
      const tenantId = (request.caller ?? request.visitor)?.tenantId
      if (tenantId !== undefined) request.deps = await cells.of(tenantId)
    }
  }
}
