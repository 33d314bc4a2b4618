import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { eventually } from '../../../test/harness/wait.ts'
import { sql } from '../../platform/db/sql.ts'
import { startWorkers } from '../../platform/jobs/workers.ts'
import { createThumbnail } from './thumbnails.ts'

const service = await testApi()
const { deps } = service

test('a process that stops ends the picture in its hands, and leaves the others to the next', async () => {
  const { owner, tenantId } = await service.workspace()
  for (let n = 0; n < 5; n++) {
    const form = new FormData()
    const bytes = PNG.sync.write(new PNG({ width: 8, height: 8 }))
    form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'a.png')
    const headers = { authorization: `Bearer ${owner.token}` }
    const sent = await fetch(`${service.url}/v1/media/uploads`, { method: 'POST', headers, body: form })
    expect(sent.status).toBe(201)
  }
  const made = async () =>
    (await deps.db.rows(sql`select from media where tenant_id = ${tenantId} and has_thumbnail`)).length
  const left = () => deps.db.rows(sql`select attempt from job_lanes where tenant_id = ${tenantId}`)

  const first = startWorkers(deps, [createThumbnail])
  await eventually(() => expect(first.stats()[0]).toMatchObject({ running: 5 }))
  await first.stop(30_000)
  const before = await made()
  expect(before).toBeLessThan(5)
  expect(await left()).toEqual(Array(5 - before).fill({ attempt: 0 }))

  const next = startWorkers(deps, [createThumbnail])
  await eventually(async () => expect(await made()).toBe(5))
  await next.stop(30_000)
})
