/** A file many times larger than the memory an import may take. IMPORT_BYTES makes it larger still. */
import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { startImportWorkers, waitForImport } from '../testing/imports.ts'

const api = await testApi()
startImportWorkers(api)
const bytes = Number(process.env.IMPORT_BYTES ?? 200_000_000)

test('is never in memory', { timeout: 600_000 }, async () => {
  const { owner } = await api.workspace()
  for (const name of ['a', 'b', 'c']) await owner.post('/contacts/custom-fields', { name, type: 'text' })
  const cell = '"x, ""y"" ü\n"'
  const long = `"${'x, ""y"" ü\n'.repeat(700)}"`
  let rows = 0
  async function* body() {
    yield '--b\r\nContent-Disposition: form-data; name="dryRun"\r\n\r\ntrue\r\n'
    yield '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname,a,b,c\n'
    for (let sent = 0; sent < bytes; rows++) {
      const line = `P${rows},${long},${cell},${long}\n`
      sent += Buffer.byteLength(line)
      yield line
    }
    yield '\r\n--b--\r\n'
  }
  const memory = watchMemory()
  const sending = http.request(`${api.url}/v1/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'multipart/form-data; boundary=b' },
  })
  const answered = once(sending, 'response')
  await pipeline(body(), sending)
  const [response] = (await answered) as [http.IncomingMessage]
  expect(response.statusCode).toBe(202)
  const { importId } = JSON.parse(await text(response)) as { importId: string }
  const status = await waitForImport(owner, importId, 500_000)
  const most = memory.stop()
  expect(status).toMatchObject({ status: 'completed', totalRows: rows, successCount: rows, errors: [] })
  expect(most / 1e6, 'megabytes').toBeLessThan(150)
})

/**
 * Measures how much memory stays in use: the most that every sample of two seconds exceeded. Garbage is not counted, since
 * a busy machine collects it late.
 */
function watchMemory(): { stop(): number } {
  const read = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = read()
  let [most, least, samples] = [0, Number.POSITIVE_INFINITY, 0]
  const timer = setInterval(() => {
    least = Math.min(least, read() - before)
    if (++samples < 100) return
    most = Math.max(most, least)
    least = Number.POSITIVE_INFINITY
    samples = 0
  }, 20)
  return {
    stop: () => {
      clearInterval(timer)
      return most
    },
  }
}
