import { defineCommand } from 'citty'
import { readConfig } from '../../platform/config.ts'
import { transact } from '../../platform/db/transact.ts'
import {
  type DeadFilter,
  discardDeadJobs,
  listDeadJobs,
  retryDeadJobs,
} from '../../platform/jobs/dead-letters.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'
import { cellFlag, jsonFlag, print, withCells } from '../with-database.ts'

const filterFlags = {
  name: { type: 'string', description: 'Only jobs with this name' },
  tenant: { type: 'string', description: 'Only jobs of this workspace' },
  id: { type: 'string', description: 'Only these ids, separated by commas' },
} as const

/** Ids of jobs are unique in a cell. */
function assertOneCell({ id, cell, tenant }: { id?: string; cell?: string; tenant?: string }): void {
  const { databaseCells } = readConfig(process.env)
  if (id && !cell && !tenant && databaseCells.length > 1)
    throw new CliError('--id needs --cell: ids of jobs are unique in a cell only')
}

function toFilter(args: { name?: string; tenant?: string; id?: string }): DeadFilter {
  return {
    ...(args.name ? { name: args.name } : {}),
    ...(args.tenant ? { tenantId: args.tenant } : {}),
    ...(args.id ? { ids: args.id.split(',').map(id => parsePositive('--id', id)) } : {}),
  }
}

function parsePositive(flag: string, text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text.trim()))
    throw new CliError(`${flag} must be a positive integer, not "${text}"`)
  return Number(text)
}

/** Requires a filter or an explicit `--all`. */
function toSelection(args: {
  name?: string
  tenant?: string
  id?: string
  all?: boolean
}): DeadFilter | 'all' {
  const filter = toFilter(args)
  if (Object.keys(filter).length > 0) return filter
  if (!args.all) throw new CliError('select jobs with --id, --name, --tenant or --all')
  return 'all'
}

const allFlag = { all: { type: 'boolean', description: 'All dead jobs', default: false } } as const

const list = command({
  meta: { name: 'list', description: 'List dead jobs' },
  args: {
    ...filterFlags,
    ...cellFlag,
    limit: { type: 'string', description: 'Maximum number of jobs', default: '100' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const filter = { ...toFilter(args), limit: parsePositive('--limit', args.limit) }
    return withCells(
      args,
      deps => listDeadJobs(deps.db, filter),
      results => {
        const several = results.length > 1
        const dead = results.flatMap(({ cell, result }) =>
          result.map(job => (several ? { cell, ...job } : job)),
        )
        const lines = results.flatMap(({ cell, result }) =>
          result.map(job =>
            [
              ...(several ? [cell] : []),
              job.id,
              job.name,
              job.tenantId,
              job.diedAt,
              job.error.split('\n')[0],
            ].join('  '),
          ),
        )
        print(args.json, { jobs: dead }, lines.length > 0 ? lines : ['no dead jobs'])
      },
    )
  },
})

const retry = command({
  meta: { name: 'retry', description: 'Retry dead jobs' },
  args: { ...filterFlags, ...allFlag, ...cellFlag, ...jsonFlag },
  run: ({ args }) => {
    const filter = toSelection(args)
    assertOneCell(args)
    return withCells(
      args,
      deps => transact(deps.db, tx => retryDeadJobs(tx, filter)),
      results => {
        const retried = results.reduce((sum, { result }) => sum + result, 0)
        print(args.json, { retried }, [`${retried} jobs enqueued again`])
      },
    )
  },
})

const discard = command({
  meta: { name: 'discard', description: 'Delete dead jobs' },
  args: { ...filterFlags, ...allFlag, ...cellFlag, ...jsonFlag },
  run: ({ args }) => {
    const filter = toSelection(args)
    assertOneCell(args)
    return withCells(
      args,
      deps => transact(deps.db, tx => discardDeadJobs(tx, filter)),
      results => {
        const discarded = results.reduce((sum, { result }) => sum + result, 0)
        print(args.json, { discarded }, [`${discarded} jobs deleted`])
      },
    )
  },
})

export const jobsCommand = defineCommand({
  meta: { name: 'jobs', description: 'Dead jobs: list, retry, discard' },
  subCommands: { list, retry, discard },
})
