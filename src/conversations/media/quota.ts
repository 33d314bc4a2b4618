/** The storage quota of a workspace. Uploads and files of customers count; files of customers wait while it is exceeded. */
import type { Config } from '../../platform/config.ts'
import type { Queryable } from '../../platform/db/db.ts'
import { getMediaUsage } from '../store/media/media.ts'

export async function exceedsQuota(config: Config, on: Queryable, tenantId: string): Promise<boolean> {
  return (await getMediaUsage(on, tenantId)) > config.storageMbPerWorkspace * 1024 * 1024
}

export const describeQuota = ({ storageMbPerWorkspace }: Config): string =>
  `the files of a workspace have at most ${storageMbPerWorkspace} MiB; ask the operator of the installation for more`
