import { migrate } from '../../platform/db/migrate.ts'
import { command } from '../command.ts'
import { jsonFlag, print, withDatabase } from '../with-database.ts'

export const migrateCommand = command({
  meta: { name: 'migrate', description: 'Create the database, or upgrade it to the version of this program' },
  args: jsonFlag,
  run: ({ args }) =>
    withDatabase(
      async ({ direct }) => {
        const applied = await migrate(direct)
        const lines = applied.map(name => `applied ${name}`)
        print(args.json, { applied }, lines.length > 0 ? lines : ['nothing to do'])
      },
      { create: true },
    ),
})
