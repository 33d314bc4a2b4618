import { readConfig } from '../../platform/config.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { command } from '../command.ts'
import { jsonFlag, print, withDatabase } from '../with-database.ts'

export const migrateCommand = command({
  meta: {
    name: 'migrate',
    description:
      'Create the database, or upgrade it to the version of this program; cells one after the other',
  },
  args: jsonFlag,
  run: async ({ args }) => {
    const { databaseCells } = readConfig(process.env)
    const show = (applied: string[], lines: string[]) =>
      print(args.json, { applied }, lines.length > 0 ? lines : ['nothing to do'])
    if (databaseCells.length === 0)
      return withDatabase(
        async ({ direct }) => {
          const applied = await migrate(direct)
          show(
            applied,
            applied.map(name => `applied ${name}`),
          )
        },
        { create: true },
      )
    const applied: string[] = []
    for (const { name, url, directUrl } of databaseCells)
      for (const migration of await migrate({ connectionString: directUrl ?? url }))
        applied.push(`${name}: ${migration}`)
    show(
      applied,
      applied.map(each => `applied ${each}`),
    )
  },
})
