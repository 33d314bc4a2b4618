/** A step that kills its processes: its job is given up and its run fails. */
import { afterEach, expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { sql } from '../../platform/db/sql.ts'
import { listDeadJobs } from '../../platform/jobs/dead-letters.ts'
import { startWorkers, type Workers } from '../../platform/jobs/workers.ts'
import { workflowJobs } from '../domain.ts'
import { createContact, createJourney, expectStatus, waitForRun } from '../testing/fixtures.ts'

const api = await testApi()
const { db } = api.deps
let workers: Workers | undefined
afterEach(() => workers?.stop(10_000))

test('failed with workers_died after three deaths; the job is a dead letter, and the run can be retried', async () => {
  const owner = await (await api.workspace()).key()
  const journeyId = await createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: { set: ['setVariable', { name: 'v', value: 1 }] },
    edges: ['start > set'],
  })
  const { id: contactId } = await createContact(owner)
  await expectStatus(owner.post(`/journeys/${journeyId}/runs`, { contactId }), 201)
  await db.run(sql`update job_lanes set deaths = 3, attempt = 3 where tenant_id = ${owner.tenantId}`)
  workers = startWorkers(api.deps, workflowJobs)
  const run = await waitForRun(owner, journeyId, 'failed')
  expect(run.error).toMatchObject({ code: 'workers_died' })
  expect(await listDeadJobs(db, { tenantId: owner.tenantId })).toMatchObject([
    { name: 'workflows.advance_run' },
  ])
  await expectStatus(owner.post(`/runs/${run.id}/retry`), 200)
  await waitForRun(owner, journeyId, 'completed')
})
