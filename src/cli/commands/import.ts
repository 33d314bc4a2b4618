/** Uploads a CSV file to a running service and shows the progress of its import. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { ImportStatus } from '../../contacts/schemas.ts'
import { type ApiClient, apiFlags, connectApi, ServiceUnreachable } from '../api-client.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'
import { type ProgressView, showProgress } from '../progress.ts'
import { jsonFlag, print } from '../with-database.ts'

export const importCommand = command({
  meta: { name: 'import', description: 'Import contacts from a CSV file into a running service' },
  args: {
    file: { type: 'positional', required: true, description: 'A CSV file with a header' },
    'dry-run': { type: 'boolean', description: 'Validate the file without importing', default: false },
    'create-fields': {
      type: 'boolean',
      description: 'Create custom fields for unknown columns',
      default: false,
    },
    ...apiFlags,
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const api = await connectApi(args)
    const fields = { dryRun: String(args['dry-run']), createFields: String(args['create-fields']) }
    // Fails early without the permission to import, before a large file is uploaded.
    await api.call('GET', '/contacts/imports/none').catch(error => {
      if (!/\(404\)$/.test((error as Error).message)) throw error
    })
    const importId = await uploadFile(api, args.file, fields, !args.json)
    const status = await waitForEnd(api, importId, !args.json)
    print(args.json, status, formatSummary(status, args['dry-run']))
    if (status.status === 'failed') process.exitCode = 1
    else if (status.failedCount > 0) process.exitCode = 2
  },
})

async function uploadFile(
  api: ApiClient,
  name: string,
  fields: Record<string, string>,
  visible: boolean,
): Promise<string> {
  const file = await open(name).catch(error => {
    throw new CliError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  })
  const { size } = await file.stat()
  const progress = showProgress('Uploading', visible)
  progress.expect(size)
  const boundary = `parley-${randomBytes(16).toString('hex')}`
  const form = encodeForm(boundary, fields, path.basename(name), file, progress)
  const body = Readable.from(form, { objectMode: false })
  const upload = { type: `multipart/form-data; boundary=${boundary}`, body }
  const { importId } = await api.call<{ importId: string }>('POST', '/contacts/import', upload)
  progress.end('Uploaded')
  return importId
}

/** Streams the file in chunks, so that its size does not matter. */
async function* encodeForm(
  boundary: string,
  fields: Record<string, string>,
  filename: string,
  file: FileHandle,
  progress: ProgressView,
): AsyncGenerator<Uint8Array> {
  const part = (head: string, text = '') =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}`)
  for (const [name, value] of Object.entries(fields)) yield part(`name="${name}"`, `${value}\r\n`)
  const quoted = filename.replace(/["\r\n]/g, '_')
  yield part(`name="file"; filename="${quoted}"\r\nContent-Type: text/csv`)
  for await (const chunk of file.createReadStream()) {
    yield chunk as Buffer
    progress.advance((chunk as Buffer).length)
  }
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

const pollMs = 300
const unreachableTimeoutMs = 60_000

async function waitForEnd(api: ApiClient, importId: string, visible: boolean): Promise<ImportStatus> {
  const progress = showProgress('Importing', visible, rows => `${rows} rows`)
  let [expected, done] = [0, 0]
  for (;;) {
    const status = await getStatus(api, importId)
    const now = status.successCount + status.failedCount
    progress.expect(status.totalRows - expected)
    progress.advance(now - done)
    expected = status.totalRows
    done = now
    if (status.status === 'completed' || status.status === 'failed') {
      progress.end(status.status === 'completed' ? 'Imported' : 'Failed')
      return status
    }
    await pause(pollMs)
  }
}

/** Retries while the service restarts: the import continues automatically. */
async function getStatus(api: ApiClient, importId: string): Promise<ImportStatus> {
  for (const deadline = performance.now() + unreachableTimeoutMs; ; await pause(pollMs)) {
    try {
      return await api.call<ImportStatus>('GET', `/contacts/imports/${importId}`)
    } catch (error) {
      if (!(error instanceof ServiceUnreachable)) throw error
      if (performance.now() > deadline) throw new CliError(`${error.message}; the import is ${importId}`)
    }
  }
}

const maxErrors = 20

function formatSummary(status: ImportStatus, isDry: boolean): string[] {
  const { successCount, failedCount, errors, importId } = status
  const verb = isDry ? 'could be imported' : 'imported'
  const errorLines = errors.slice(0, maxErrors).map(error => {
    const location = error.row === 0 ? 'the file' : `row ${error.row}`
    return `  ${location}${error.column ? `, ${error.column}` : ''}: ${error.message}`
  })
  const remaining = errors.length - errorLines.length
  return [
    `${importId}: ${successCount} rows ${verb}, ${failedCount} failed`,
    ...errorLines,
    ...(remaining > 0 ? [`  and ${remaining} more: GET /v1/contacts/imports/${importId}`] : []),
  ]
}
