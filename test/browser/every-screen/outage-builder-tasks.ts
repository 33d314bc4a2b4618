/** The tasks of the panels of the builder: a simulation, a run and a version. */
import type { Page } from 'playwright-core'
import { type Call, type Task, unreachable } from './outage-task.ts'

const text = (body: string) => ({ type: 'text', text: { body } })
const start = { id: 'start', type: 'start', data: { triggerConfig: { type: 'manual' } } }
const ask = { id: 'ask', type: 'ask', data: { content: text('How are you?'), variable: 'mood' } }
const thanks = { id: 'thanks', type: 'sendMessage', data: { content: text('Noted: {{variables.mood}}') } }
const definition = {
  nodes: [start, ask, thanks],
  edges: [
    { id: 'e1', source: 'start', target: 'ask' },
    { id: 'e2', source: 'ask', target: 'thanks', sourceHandle: 'answered' },
  ],
}

export interface PreparedBuilder {
  simulatedId: string
  enteredId: string
  runId: string
  changedId: string
}

/** Creates a journey for each panel: one that is simulated, one with a waiting run, and one whose draft has changed. */
export async function prepareBuilder(call: Call, contactId: string): Promise<PreparedBuilder> {
  const create = async (name: string): Promise<string> =>
    (await call('POST', '/journeys', { name, definition })).id
  const [simulatedId, enteredId, changedId] = [
    await create('Simulated'),
    await create('Entered'),
    await create('Changed'),
  ]
  for (const id of [enteredId, changedId]) await call('POST', `/journeys/${id}/publish`)
  await call('POST', `/journeys/${enteredId}/activate`)
  const run = await call('POST', `/journeys/${enteredId}/runs`, { contactId })
  await call('PATCH', `/journeys/${changedId}`, { definition: { nodes: [start], edges: [] } })
  return { simulatedId, enteredId, runId: run.id, changedId }
}

/** The answer is part of the simulation immediately, and is sent again when the connection is back. */
async function answer(page: Page): Promise<void> {
  await page.getByLabel('Message of the customer').press('Enter')
  await page.getByRole('log', { name: 'Transcript' }).getByText('Fine', { exact: true }).waitFor()
}

export function listBuilderTasks({ simulatedId, enteredId, runId, changedId }: PreparedBuilder): Task[] {
  return [
    {
      at: `/journeys/${simulatedId}?panel=simulate`,
      begin: async page => {
        await page.getByText('Clock, messaging window, first step').click()
        await page.getByLabel('Messaging window').selectOption('open')
        await page.getByRole('button', { name: 'Start', exact: true }).click()
        await page.getByText('Waits for a reply').waitFor()
        await page.getByLabel('Message of the customer').fill('Fine')
      },
      finish: answer,
      isAutomatic: true,
      says: unreachable,
      shown: 'Noted: Fine',
    },
    {
      at: `/journeys/${enteredId}?panel=runs`,
      begin: async page => {
        await page.getByRole('table', { name: 'Runs' }).getByRole('button').first().click()
        await page.getByText('Step 2 of 2').waitFor()
      },
      finish: page => page.getByRole('button', { name: 'Cancel the run' }).click(),
      says: unreachable,
      stored: async call => [(await call('GET', `/runs/${runId}`)).status],
      expected: 'cancelled',
    },
    {
      at: `/journeys/${changedId}?panel=versions`,
      begin: page => page.getByRole('button', { name: 'Restore' }).click(),
      finish: page => page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click(),
      says: unreachable,
      stored: async call => {
        const { nodes } = (await call('GET', `/journeys/${changedId}`)).definition
        return nodes.map(({ id }: { id: string }) => id)
      },
      expected: 'thanks',
    },
  ]
}
