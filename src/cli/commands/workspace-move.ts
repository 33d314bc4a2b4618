import { findMoveCells, MoveRefused } from '../../server/cells/move/find-cells.ts'
import { abortWorkspaceMove, moveWorkspace } from '../../server/cells/move/move.ts'
import type { MoveObserver, MoveRequest } from '../../server/cells/move/types.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'
import { jsonFlag, print, withInstallation } from '../with-database.ts'

export const workspaceMove = command({
  meta: {
    name: 'move',
    description:
      'Move a workspace to another cell while it works; run it again to continue after an interruption',
  },
  args: {
    id: { type: 'positional', description: 'Id of the workspace', required: true },
    to: { type: 'string', description: 'Cell to which it moves (default: that of the interrupted move)' },
    abort: { type: 'boolean', description: 'Undo a move that has not switched yet', default: false },
    ...jsonFlag,
  },
  run: ({ args: { id, to, abort, json } }) =>
    withInstallation(async ({ cells }) => {
      try {
        const request = await findMoveCells(cells, id, to)
        if (!request) print(json, { tenantId: id, cell: to }, [`${id} is in ${to} already`])
        else if (abort) await runAbort(request, json)
        else await runMove(request, json)
      } catch (error) {
        throw error instanceof MoveRefused ? new CliError(error.message) : error
      }
    }),
})

async function runMove(request: MoveRequest, json: boolean): Promise<void> {
  const { tenantId, to } = request
  const { observer, report } = observe(json)
  await moveWorkspace(request, observer)
  const pause = report.pauseMs > 0 ? `; pause ${report.pauseMs} ms` : ''
  print(json, { tenantId, cell: to.name, ...report }, [`${tenantId} is in ${to.name}${pause}`])
}

async function runAbort(request: MoveRequest, json: boolean): Promise<void> {
  const { tenantId, from } = request
  await abortWorkspaceMove(request, observe(json).observer)
  print(json, { tenantId, cell: from.name, aborted: true }, [`${tenantId} stays in ${from.name}`])
}

interface Report {
  rows: number
  pauseMs: number
}

/** Prints a line for each table to stderr, and collects the totals. */
function observe(json: boolean): { observer: MoveObserver; report: Report } {
  const report = { rows: 0, pauseMs: 0 }
  const write = (line: string) => void (json || process.stderr.write(`${line}\n`))
  const observer: MoveObserver = {
    onStep: step => write(step),
    onCopied: ({ table, rows, isComplete }) => {
      if (isComplete ? rows > 0 : rows % 50_000 === 0)
        write(`  ${table}  ${rows} rows${isComplete ? '' : ' so far'}`)
    },
    onVerified: ({ table, rows, different }) => {
      report.rows += rows
      if (rows > 0)
        write(`  ${table}  ${rows} rows compared${different > 0 ? `, ${different} repeated` : ''}`)
    },
    onPaused: ({ ms, switched, reason }) => {
      if (switched) report.pauseMs = ms
      write(switched ? `  switched after ${ms} ms` : `  not switched after ${ms} ms: ${reason}`)
    },
    onRemoved: ({ table, rows }) => write(`  ${table}  ${rows} rows deleted`),
  }
  return { observer, report }
}
