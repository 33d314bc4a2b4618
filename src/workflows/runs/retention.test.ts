import { expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { transact } from '../../platform/db/transact.ts'
import { resumeRun } from '../engine/run/resume.ts'
import { purgeEndedRuns } from '../store/runs/retention.ts'
import { listSteps } from '../store/runs/run-lists.ts'
import { createJourney, expectStatus, type WorkflowInput } from '../testing/fixtures.ts'
import { purgeRuns } from './retention.ts'

const api = await testApi()
const { deps } = api
const { db } = deps
const day = 86_400_000

test('deletes ended runs with their steps, except runs that once or an open session needs', async () => {
  const workspace = await api.workspace()
  const { tenantId } = workspace
  const owner = await workspace.key() // a session would expire
  const draw = (entryMode: string, nodes: WorkflowInput['nodes'], first: string) =>
    createJourney(owner, { trigger: { type: 'manual' }, entryMode, nodes, edges: [`start > ${first}`] })
  const note: WorkflowInput['nodes'] = { note: ['note', { text: 'here' }] }
  const often = await draw('every_time', note, 'note')
  const once = await draw('once', note, 'note')
  const waiting = await draw('every_time', { nap: ['delay', { for: { days: 700 } }] }, 'nap')
  const { id: contactId } = await expectStatus(owner.post('/contacts', { name: 'Ada' }), 201)
  const begin = async (journeyId: string) => {
    const { id: runId } = await expectStatus(owner.post(`/journeys/${journeyId}/runs`, { contactId }), 201)
    await transact(db, tx =>
      resumeRun({ deps, tx, startJourney: async () => ({ refused: 'no' }) }, tenantId, {
        runId,
        revision: 0,
        reason: 'continue',
      }),
    )
    return runId as string
  }
  const [old, onceOld, asleep] = [await begin(often), await begin(once), await begin(waiting)]
  const steps = (runId: string) => listSteps(db, tenantId, runId)
  const forget = () => purgeRuns.job.handle(deps, { at: '' }, { holdsLease: () => true } as never)

  deps.clock.advance(89 * day)
  const young = await begin(often)
  await forget()
  expect(await steps(old)).toHaveLength(2)

  deps.clock.advance(2 * day)
  await forget()
  await expectStatus(owner.get(`/runs/${old}`), 404)
  expect(await steps(old)).toEqual([])
  expect(await expectStatus(owner.get(`/runs/${onceOld}`), 200)).toMatchObject({
    status: 'completed',
    path: [],
  })
  await expectStatus(owner.post(`/journeys/${once}/runs`, { contactId }), 409)
  expect((await expectStatus(owner.get(`/runs/${asleep}`), 200)).path).toHaveLength(2)
  expect((await expectStatus(owner.get(`/runs/${young}`), 200)).path).toHaveLength(2)

  // Kept runs are not processed again.
  const before = new Date(deps.clock.now().getTime() - 90 * day).toISOString()
  expect(await transact(db, tx => purgeEndedRuns(tx, before, 10))).toBe(0)
})
