/** Streams a CSV file. It counts as an export of the workspace until its last byte, or until the client disconnects. */
import { Readable } from 'node:stream'
import { defineCache } from '../../caches.ts'
import type { Deps } from '../../deps.ts'
import { limitPerTenant } from '../../limits/limit-per-tenant.ts'
import { Reply } from '../route.ts'

const exports = defineCache(({ config }: Pick<Deps, 'config'>) =>
  limitPerTenant('exports', config.exportsPerWorkspace),
)

export interface CsvExport {
  tenantId: string
  fileName: string
  lines: AsyncIterable<string | Buffer>
  /** Writes the audit entry; nothing is sent if it fails. */
  record(): Promise<void>
}

/** 429 if the workspace has as many exports as it may. */
export async function replyWithCsv(deps: Pick<Deps, 'config' | 'caches'>, file: CsvExport): Promise<Reply> {
  const endExport = exports(deps).start(file.tenantId)
  const body = Readable.from(file.lines, { objectMode: false })
  body.once('close', endExport)
  await file.record().catch(error => {
    body.destroy()
    throw error
  })
  return new Reply({
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${file.fileName}"`,
    },
    body,
  })
}
