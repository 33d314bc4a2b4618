import { defineCommand } from 'citty'
import { transact } from '../platform/db/transact.ts'
import {
  type DeadFilter,
  discardDeadJobs,
  listDeadJobs,
  retryDeadJobs,
} from '../platform/jobs/dead-letters.ts'
import { command } from './command.ts'
import { CliError } from './errors.ts'
import { jsonFlag, print, withDeps } from './with-database.ts'

const whichFlags = {
  name: { type: 'string', description: 'Only jobs of this name' },
  tenant: { type: 'string', description: 'Only jobs of this workspace' },
  id: { type: 'string', description: 'Only these ids, separated by commas' },
} as const

function which(args: { name?: string; tenant?: string; id?: string }): DeadFilter {
  return {
    ...(args.name ? { name: args.name } : {}),
    ...(args.tenant ? { tenantId: args.tenant } : {}),
    ...(args.id ? { ids: args.id.split(',').map(id => positive('--id', id)) } : {}),
  }
}

function positive(flag: string, text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text.trim()))
    throw new CliError(`${flag} must be a whole number from 1, not "${text}"`)
  return Number(text)
}

/** Without a filter it concerns all of them, and that must be said. */
function chosen(args: { name?: string; tenant?: string; id?: string; all?: boolean }): DeadFilter | 'all' {
  const filter = which(args)
  if (Object.keys(filter).length > 0) return filter
  if (!args.all) throw new CliError('say which: --id, --name, --tenant or --all')
  return 'all'
}

const all = { all: { type: 'boolean', description: 'All of them', default: false } } as const

const list = command({
  meta: { name: 'list', description: 'Jobs that failed for good' },
  args: {
    ...whichFlags,
    limit: { type: 'string', description: 'At most so many', default: '100' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const filter = { ...which(args), limit: positive('--limit', args.limit) }
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
  meta: { name: 'retry', description: 'Try dead jobs again' },
  args: { ...whichFlags, ...all, ...jsonFlag },
  run: ({ args }) => {
    const filter = chosen(args)
    return withDeps(async deps => {
      const retried = await transact(deps.db, tx => retryDeadJobs(tx, filter))
      print(args.json, { retried }, [`${retried} put back`])
    })
  },
})

const discard = command({
  meta: { name: 'discard', description: 'Forget dead jobs' },
  args: { ...whichFlags, ...all, ...jsonFlag },
  run: ({ args }) => {
    const filter = chosen(args)
    return withDeps(async deps => {
      const discarded = await transact(deps.db, tx => discardDeadJobs(tx, filter))
      print(args.json, { discarded }, [`${discarded} discarded`])
    })
  },
})

export const jobsCommand = defineCommand({
  meta: { name: 'jobs', description: 'Dead jobs: list, retry, discard' },
  subCommands: { list, retry, discard },
})
