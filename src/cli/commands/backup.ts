import path from 'node:path'
import { readConfig } from '../../platform/config.ts'
import { backUp } from '../../server/backup/backup.ts'
import type { Manifest } from '../../server/backup/manifest.ts'
import { restore } from '../../server/backup/restore.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'
import { megabytes, showProgress } from '../progress.ts'
import { jsonFlag, print, withDatabase } from '../with-database.ts'

export const backupCommand = command({
  meta: {
    name: 'backup',
    description: 'Back up the embedded database, files, keys and credentials; the service may be running',
  },
  args: {
    target: { type: 'positional', required: true, description: 'A new or empty directory for the backup' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    refuseExternal(
      'back up that database with pg_dump or the tools of its provider, and DATA_DIR with your own tools',
    )
    const target = path.resolve(args.target)
    return withDatabase(async (database, config) => {
      const progress = showProgress('Saving', !args.json)
      const manifest = await backUp(config, database, target, progress)
      progress.end('Saved')
      const size = formatSize(manifest)
      print(args.json, { target, ...size, createdAt: manifest.createdAt }, [
        `saved ${size.files} files (${megabytes(size.bytes)}) in ${target}`,
        'The backup contains your keys and passwords: keep it where only you can read it.',
      ])
    })
  },
})

export const restoreCommand = command({
  meta: { name: 'restore', description: 'Restore a backup into an empty DATA_DIR' },
  args: {
    source: {
      type: 'positional',
      required: true,
      description: 'A directory created by parley backup',
    },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    refuseExternal('load that database with psql, pg_restore or the tools of its provider')
    const config = readConfig(process.env)
    const progress = showProgress('Restoring', !args.json)
    const manifest = await restore(config, path.resolve(args.source), progress)
    progress.end('Restored')
    const size = formatSize(manifest)
    print(args.json, { dataDir: config.dataDir, ...size, createdAt: manifest.createdAt }, [
      `restored ${size.files} files (${megabytes(size.bytes)}) of ${manifest.createdAt} into ${config.dataDir}`,
      'It sends nothing until you run `parley adopt`: do that only when the original no longer runs.',
    ])
  },
})

function refuseExternal(instead: string): void {
  const setting = ['DATABASE_URL', 'DATABASE_CELLS'].find(name => process.env[name]?.trim())
  if (setting)
    throw new CliError(`${setting} is set, but this command is for the embedded database: ${instead}`)
}

function formatSize({ files }: Manifest): { files: number; bytes: number } {
  return { files: files.length, bytes: files.reduce((sum, file) => sum + file.size, 0) }
}
