import path from 'node:path'
import { backUp } from '../server/backup/backup.ts'
import type { Manifest } from '../server/backup/manifest.ts'
import { command } from './command.ts'
import { CliError } from './errors.ts'
import { megabytes, showProgress } from './progress.ts'
import { jsonFlag, print, withDatabase } from './with-database.ts'

export const backupCommand = command({
  meta: {
    name: 'backup',
    description: 'Save the embedded database, files, keys and credentials, with the service running or not',
  },
  args: {
    target: { type: 'positional', required: true, description: 'A new or empty directory for the backup' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    refuseExternal(
      'back that database up with pg_dump or the tools of its provider, and DATA_DIR with your own',
    )
    const target = path.resolve(args.target)
    return withDatabase(async (database, config) => {
      const shown = showProgress('Saving', !args.json)
      const manifest = await backUp(config, database, target, shown)
      shown.end('Saved')
      const size = formatSize(manifest)
      print(args.json, { target, ...size, createdAt: manifest.createdAt }, [
        `saved ${size.files} files (${megabytes(size.bytes)}) in ${target}`,
        'It holds your keys and passwords: keep it where only you can read it.',
      ])
    })
  },
})

export function refuseExternal(instead: string): void {
  if (process.env.DATABASE_URL?.trim())
    throw new CliError(`DATABASE_URL is set, and this is for the embedded database: ${instead}`)
}

export function formatSize({ files }: Manifest): { files: number; bytes: number } {
  return { files: files.length, bytes: files.reduce((sum, file) => sum + file.size, 0) }
}
