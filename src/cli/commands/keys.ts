import { defineCommand } from 'citty'
import { sealed } from '../../app.ts'
import type { Deps } from '../../platform/deps.ts'
import { resealColumn } from '../../platform/encryption/sealed-columns.ts'
import { command } from '../command.ts'
import { jsonFlag, print, withCells } from '../with-database.ts'

const reseal = command({
  meta: { name: 'reseal', description: 'Encrypt all stored secrets with the current SECRET_KEY' },
  args: { ...jsonFlag },
  run: ({ args }) =>
    withCells({}, resealAll, results => {
      const counts: Record<string, number> = {}
      for (const { result } of results)
        for (const [column, count] of result) counts[column] = (counts[column] ?? 0) + count
      print(args.json, counts, [
        ...Object.entries(counts).map(([column, count]) => `${column}: ${count} re-encrypted`),
        'all secrets are encrypted with the current key; OLD_SECRET_KEYS can be removed',
      ])
    }),
})

async function resealAll({ db, keys }: Deps): Promise<(readonly [column: string, count: number])[]> {
  const counts: (readonly [string, number])[] = []
  for (const target of sealed)
    counts.push([`${target.table}.${target.column}`, await resealColumn(db, keys, target)])
  return counts
}

export const keysCommand = defineCommand({
  meta: { name: 'keys', description: 'Keys of the installation' },
  subCommands: { reseal },
})
