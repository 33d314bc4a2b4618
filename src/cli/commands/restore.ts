import path from 'node:path'
import { readConfig } from '../../platform/config.ts'
import { restore } from '../../server/backup/restore.ts'
import { command } from '../command.ts'
import { megabytes, showProgress } from '../progress.ts'
import { jsonFlag, print } from '../with-database.ts'
import { formatSize, refuseExternal } from './backup.ts'

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
