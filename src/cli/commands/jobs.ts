import { defineCommand } from 'citty'
import { transact } from '../../platform/db/transact.ts'
import {
  type DeadFilter,
  discardDeadJobs,
  listDeadJobs,
  retryDeadJobs,
} from '../../platform/jobs/dead-letters.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'
import { jsonFlag, print, withDeps } from '../with-database.ts'

const filterFlags = {
  name: { type: 'string', description: 'Only jobs with this name' },
  tenant: { type: 'string', description: 'Only jobs of this workspace' },
  id: { type: 'string', description: 'Only these ids, separated by commas' },
} as const

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
    limit: { type: 'string', description: 'Maximum number of jobs', default: '100' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const filter = { ...toFilter(args), limit: parsePositive('--limit', args.limit) }
    return withDeps(async deps => {
      const dead = await listDeadJobs(deps.db, filter)
      const lines = dead.map(job =>
        [job.id, job.name, job.tenantId, job.diedAt, job.error.split('\n')[0]].join('  '),
      )
      print(args.json, { jobs: dead }, lines.length > 0 ? lines : ['no dead jobs'])
    })
  },
})

const retry = command({
  meta: { name: 'retry', description: 'Retry dead jobs' },
  args: { ...filterFlags, ...allFlag, ...jsonFlag },
  run: ({ args }) => {
    const filter = toSelection(args)
    return withDeps(async deps => {
      const retried = await transact(deps.db, tx => retryDeadJobs(tx, filter))
      print(args.json, { retried }, [`${retried} jobs enqueued again`])
    })
  },
})

const discard = command({
  meta: { name: 'discard', description: 'Delete dead jobs' },
  args: { ...filterFlags, ...allFlag, ...jsonFlag },
  run: ({ args }) => {
    const filter = toSelection(args)
    return withDeps(async deps => {
      const discarded = await transact(deps.db, tx => discardDeadJobs(tx, filter))
      print(args.json, { discarded }, [`${discarded} jobs deleted`])
    })
  },
})

export const jobsCommand = defineCommand({
  meta: { name: 'jobs', description: 'Dead jobs: list, retry, discard' },
  subCommands: { list, retry, discard },
})
