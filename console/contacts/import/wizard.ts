/** The file that is being imported. It stays in this tab, so that the import can follow the check of the file. */
import { api, call, type Schemas } from '../../api/client.ts'
import { createStore } from '../../app/store.ts'
import { createKey } from '../../inbox/bulk/follow-bulk.ts'

export type Preview = Schemas['ContactImportPreview']

export interface Wizard {
  file: File
  preview: Preview
  mapping: readonly string[]
  /** The check of the file with this mapping. */
  dryRunId?: string
}

export const wizard = createStore<Wizard | undefined>(undefined)

/** Of the file, the preview needs the beginning only. */
const previewBytes = 2 * 1024 ** 2

function toForm(fields: Record<string, string>, file: Blob, name: string): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set('file', file, name)
  return form
}

const asForm = (form: FormData) => ({ body: form as never, bodySerializer: () => form })

export async function readFile(file: File): Promise<void> {
  const form = toForm({}, file.slice(0, previewBytes), file.name)
  const preview = await call(api.POST('/contacts/import/preview', asForm(form)))
  wizard.set({ file, preview, mapping: preview.columns.map(({ suggestion }) => suggestion) })
}

/** Uploads the file and starts its check or its import; returns the id. */
export async function startImport({ file, mapping }: Wizard, dryRun: boolean): Promise<string> {
  const createFields = mapping.some(target => target.startsWith('new:'))
  const fields = {
    dryRun: String(dryRun),
    createFields: String(createFields),
    mapping: JSON.stringify(mapping),
  }
  const params = { header: { 'Idempotency-Key': createKey() } }
  const form = toForm(fields, file, file.name)
  const { importId } = await call(api.POST('/contacts/import', { params, ...asForm(form) }))
  wizard.update(before => before && (dryRun ? { ...before, dryRunId: importId } : undefined))
  return importId
}
