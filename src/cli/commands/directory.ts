import { defineCommand } from 'citty'
import { rebuildCell } from '../../server/cells/rebuild.ts'
import { command } from '../command.ts'
import { jsonFlag, print, withCells } from '../with-database.ts'

const rebuild = command({
  meta: { name: 'rebuild', description: 'Fill the directory of workspaces and accounts from the cells' },
  args: jsonFlag,
  run: ({ args }) =>
    withCells(
      {},
      deps => rebuildCell(deps.cells.home, deps),
      results =>
        print(
          args.json,
          { cells: results.map(({ cell, result }) => ({ cell, ...result })) },
          results.flatMap(({ cell, result: { workspaces, accounts, removed, conflicts } }) => [
            `${cell}  ${workspaces} workspaces added, ${removed} removed, ${accounts} accounts`,
            ...conflicts.map(
              ({ channel, externalId, tenantId }) =>
                `${cell}  conflict: ${channel} ${externalId} is also connected in ${tenantId}; disconnect one`,
            ),
          ]),
        ),
    ),
})

export const directoryCommand = defineCommand({
  meta: { name: 'directory', description: 'The directory of an installation with cells' },
  subCommands: { rebuild },
})
