import { defineCommand } from 'citty'
import { sealed } from '../../app.ts'
import { resealColumn } from '../../platform/encryption/sealed-columns.ts'
import { command } from '../command.ts'
import { jsonFlag, print, withDeps } from '../with-database.ts'

const reseal = command({
  meta: { name: 'reseal', description: 'Encrypt all stored secrets with the current SECRET_KEY' },
  args: { ...jsonFlag },
  run: ({ args }) =>
    withDeps(async ({ db, keys }) => {
      const counts: Record<string, number> = {}
      for (const target of sealed)
        counts[`${target.table}.${target.column}`] = await resealColumn(db, keys, target)
      print(args.json, counts, [
        ...Object.entries(counts).map(([column, count]) => `${column}: ${count} re-encrypted`),
        'all secrets are encrypted with the current key; OLD_SECRET_KEYS can be removed',
      ])
    }),
})

export const keysCommand = defineCommand({
  meta: { name: 'keys', description: 'Keys of the installation' },
  subCommands: { reseal },
})
