import { defineCommand } from 'citty'
import { reregisterAll } from '../../inboxes/accounts/webhook-registration.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'
import { jsonFlag, print, withCells } from '../with-database.ts'

const register = command({
  meta: {
    name: 'register',
    description: 'Register callback URLs with the providers again, also where they call another URL now',
  },
  args: {
    tenant: { type: 'string', description: 'Only inboxes of this workspace' },
    id: { type: 'string', description: 'Only this inbox' },
    all: { type: 'boolean', description: 'All inboxes of all workspaces', default: false },
    ...jsonFlag,
  },
  run: ({ args }) => {
    if (!args.tenant && !args.id && !args.all)
      throw new CliError('select inboxes with --id, --tenant or --all')
    const filter = {
      ...(args.tenant ? { tenantId: args.tenant } : {}),
      ...(args.id ? { id: args.id } : {}),
    }
    return withCells(
      args,
      deps => reregisterAll(deps, filter),
      results => {
        const count = results.reduce((sum, { result }) => sum + result, 0)
        if (count === 0) throw new CliError('no such inbox')
        print(args.json, { enqueued: count }, [
          `${count} registrations enqueued; workers make them, and \`webhook_failing\` ends with them`,
        ])
      },
    )
  },
})

export const inboxCommand = defineCommand({
  meta: { name: 'inbox', description: 'Inboxes: register callback URLs' },
  subCommands: { register },
})
