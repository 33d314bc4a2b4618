import { defineCommand } from 'citty'
import { listCells, upsertClosed } from '../../server/cells/store.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'
import { jsonFlag, print, withInstallation } from '../with-database.ts'

const list = command({
  meta: { name: 'list', description: 'List the cells: reachable, and open for new workspaces' },
  args: jsonFlag,
  run: ({ args }) =>
    withInstallation(async ({ cells }) => {
      const [home] = cells
      const rows = home!.isUsable ? await listCells(home!.deps.db) : []
      const found = cells.map(({ name, isUsable }, n) => {
        const row = rows.find(each => each.name === name)
        return { name, home: n === 0, reachable: isUsable, open: !row?.closed }
      })
      print(
        args.json,
        { cells: found },
        found.map(({ name, home, reachable, open }) =>
          [
            name,
            ...(home ? ['home'] : []),
            reachable ? 'reachable' : 'unreachable',
            open ? 'open' : 'closed',
          ].join('  '),
        ),
      )
    }),
})

const setClosed = (name: 'close' | 'open', description: string) =>
  command({
    meta: { name, description },
    args: { name: { type: 'positional', required: true, description: 'Name of the cell' }, ...jsonFlag },
    run: ({ args }) =>
      withInstallation(async ({ cells }) => {
        if (!cells.some(cell => cell.name === args.name)) throw new CliError(`cell ${args.name} not found`)
        await upsertClosed(cells[0]!.deps.db, args.name, name === 'close')
        print(args.json, { name: args.name, open: name === 'open' }, [
          `${args.name} is ${name === 'open' ? 'open' : 'closed'} for new workspaces; processes notice within a minute`,
        ])
      }),
  })

export const cellCommand = defineCommand({
  meta: { name: 'cell', description: 'Cells: the databases of the installation' },
  subCommands: {
    list,
    close: setClosed('close', 'Place no new workspaces in a cell'),
    open: setClosed('open', 'Place new workspaces in a cell again'),
  },
})
