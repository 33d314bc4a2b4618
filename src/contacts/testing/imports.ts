/** Helpers for tests of imports: upload files, wait for imports, read stored contacts and events. */
import { afterAll, expect, vi } from 'vitest'
import type { Client, TestApi } from '../../../test/harness/api.ts'
import { sql } from '../../platform/db/sql.ts'
import { startWorkers } from '../../platform/jobs/workers.ts'
import { importContacts } from '../import/run-import.ts'
import type { ImportStatus } from '../schemas.ts'

export function startImportWorkers(api: TestApi): void {
  const workers = startWorkers(api.deps, [importContacts])
  afterAll(() => workers.stop(5_000))
}

export interface Form {
  fields?: Record<string, string>
  filename?: string
  part?: string
  headers?: Record<string, string>
}

export async function uploadFile(api: TestApi, client: Client, file: string | Uint8Array, form: Form = {}) {
  const body = new FormData()
  for (const [name, value] of Object.entries(form.fields ?? {})) body.append(name, value)
  body.append(form.part ?? 'file', new Blob([file]), form.filename ?? 'contacts.csv')
  const response = await fetch(`${api.url}/v1/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}`, ...form.headers },
    body,
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests read any property of responses
  const answer = (await response.json()) as any
  return { status: response.status, headers: response.headers, body: answer }
}

export async function waitForImport(
  client: Client,
  importId: string,
  timeout = 60_000,
): Promise<ImportStatus> {
  return vi.waitFor(
    async () => {
      const { body } = await client.get(`/contacts/imports/${importId}`)
      expect(body.status).toMatch(/completed|failed/)
      return body as ImportStatus
    },
    { timeout, interval: 20 },
  )
}

/** Uploads a file and returns the final status of its import. */
export async function importFile(
  api: TestApi,
  client: Client,
  file: string | Uint8Array,
  form: Form = {},
): Promise<ImportStatus> {
  const answer = await uploadFile(api, client, file, form)
  expect(answer.status, JSON.stringify(answer.body)).toBe(202)
  return waitForImport(client, answer.body.importId)
}

export interface StoredContact {
  name: string | null
  phone: string | null
  fields: Record<string, string>
  tags: string[]
}

/** Lists the contacts of a workspace, oldest first. */
export function listStoredContacts(api: TestApi, tenantId: string): Promise<StoredContact[]> {
  return api.deps.db.rows<StoredContact>(sql`
    select c.name, (
        select phone from contact_identities i where i.tenant_id = c.tenant_id and i.contact_id = c.id
          and i.channel = 'chatapp' order by created_at, id limit 1) as phone,
      c.fields, array(
        select t.name from contact_tags l join tags t on t.tenant_id = l.tenant_id and t.id = l.tag_id
        where l.tenant_id = c.tenant_id and l.contact_id = c.id order by t.name) as tags
    from contacts c where c.tenant_id = ${tenantId} and c.deleted_at is null order by c.id`)
}

export interface StoredEvent {
  type: string
  data: { contact: Record<string, unknown>; importId?: string; changes?: Record<string, unknown> }
}

export function listStoredEvents(api: TestApi, tenantId: string): Promise<StoredEvent[]> {
  return api.deps.db.rows<StoredEvent>(
    sql`select type, data from outbox where tenant_id = ${tenantId} and type <> 'changed' order by id`,
  )
}
