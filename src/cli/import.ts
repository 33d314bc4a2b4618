/** Sends a file to a running service and shows how far its import is. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { ImportStatus } from '../contacts/import/schemas.ts'
import { type ApiClient, apiFlags, connectApi, ServiceUnreachable } from './api-client.ts'
import { command } from './command.ts'
import { CliError } from './errors.ts'
import { type ProgressView, showProgress } from './progress.ts'
import { jsonFlag, print } from './with-database.ts'

export const importCommand = command({
  meta: { name: 'import', description: 'Import contacts from a CSV file into a running service' },
  args: {
    file: { type: 'positional', required: true, description: 'A CSV file with a header' },
    'dry-run': { type: 'boolean', description: 'Only say what would happen', default: false },
    'create-fields': {
      type: 'boolean',
      description: 'Make custom fields of unknown columns',
      default: false,
    },
    ...apiFlags,
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const remote = await connectApi(args)
    const fields = { dryRun: String(args['dry-run']), createFields: String(args['create-fields']) }
    // Somebody who may not import is told so before a large file has travelled.
    await remote.call('GET', '/contacts/imports/none').catch(error => {
      if (!/\(404\)$/.test((error as Error).message)) throw error
    })
    const importId = await sendFile(remote, args.file, fields, !args.json)
    const status = await untilEnded(remote, importId, !args.json)
    print(args.json, status, summaryOf(status, args['dry-run']))
    if (status.status === 'failed') process.exitCode = 1
    else if (status.failedCount > 0) process.exitCode = 2
  },
})

async function sendFile(
  remote: ApiClient,
  name: string,
  fields: Record<string, string>,
  isShown: boolean,
): Promise<string> {
  const file = await open(name).catch(error => {
    throw new CliError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  })
  const { size } = await file.stat()
  const shown = showProgress('Sending', isShown)
  shown.expect(size)
  const boundary = `parley-${randomBytes(16).toString('hex')}`
  const body = Readable.from(form(boundary, fields, path.basename(name), file, shown), { objectMode: false })
  const sent = { type: `multipart/form-data; boundary=${boundary}`, body }
  const { importId } = await remote.call<{ importId: string }>('POST', '/contacts/import', sent)
  shown.end('Sent')
  return importId
}

/** The file passes by in pieces, however large it is. */
async function* form(
  boundary: string,
  fields: Record<string, string>,
  filename: string,
  file: FileHandle,
  shown: ProgressView,
): AsyncGenerator<Uint8Array> {
  const part = (head: string, text = '') =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}`)
  for (const [name, value] of Object.entries(fields)) yield part(`name="${name}"`, `${value}\r\n`)
  const quoted = filename.replace(/["\r\n]/g, '_')
  yield part(`name="file"; filename="${quoted}"\r\nContent-Type: text/csv`)
  for await (const chunk of file.createReadStream()) {
    yield chunk as Buffer
    shown.advance((chunk as Buffer).length)
  }
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

const pollMs = 300
const patienceMs = 60_000

async function untilEnded(remote: ApiClient, importId: string, isShown: boolean): Promise<ImportStatus> {
  const shown = showProgress('Importing', isShown, rows => `${rows} rows`)
  let [expected, done] = [0, 0]
  for (;;) {
    const status = await lookAt(remote, importId)
    const now = status.successCount + status.failedCount
    shown.expect(status.totalRows - expected)
    shown.advance(now - done)
    expected = status.totalRows
    done = now
    if (status.status === 'completed' || status.status === 'failed') {
      shown.end(status.status === 'completed' ? 'Imported' : 'Failed')
      return status
    }
    await pause(pollMs)
  }
}

/** Also while the service starts anew: the import goes on by itself then. */
async function lookAt(remote: ApiClient, importId: string): Promise<ImportStatus> {
  for (const patience = performance.now() + patienceMs; ; await pause(pollMs)) {
    try {
      return await remote.call<ImportStatus>('GET', `/contacts/imports/${importId}`)
    } catch (error) {
      if (!(error instanceof ServiceUnreachable)) throw error
      if (performance.now() > patience) throw new CliError(`${error.message}; the import is ${importId}`)
    }
  }
}

const mostErrors = 20

function summaryOf(status: ImportStatus, isDry: boolean): string[] {
  const { successCount, failedCount, errors, importId } = status
  const verb = isDry ? 'could be imported' : 'imported'
  const shown = errors.slice(0, mostErrors).map(error => {
    const place = error.row === 0 ? 'the file' : `row ${error.row}`
    return `  ${place}${error.column ? `, ${error.column}` : ''}: ${error.message}`
  })
  const rest = errors.length - shown.length
  return [
    `${importId}: ${successCount} rows ${verb}, ${failedCount} failed`,
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more: GET /v1/contacts/imports/${importId}`] : []),
  ]
}
