/**
 * Checks on every screen that agents see no control beyond their rights, and that the service refuses its requests all the
 * same. Which controls those are follows from the roles of their operations in openapi.json.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../../../src/platform/project-root.ts'
import { testService } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { fillOffice } from '../support/filled-office.ts'
import { openOffice, signIn } from '../support/people.ts'
import { requestAs } from '../support/settings.ts'
import { type Control, checkEach, goTo, heading, main, nameScreen, screens, toAddress } from './screens.ts'

interface Operation {
  'x-roles'?: string[]
}
const { paths } = JSON.parse(readFileSync(path.join(projectRoot, 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}

function canAgentsCall(operation: string): boolean {
  const [method, address] = operation.split(' ') as [string, string]
  const found = paths[address]?.[method.toLowerCase()]
  expect(found, `${operation} is in openapi.json`).toBeDefined()
  return found?.['x-roles']?.includes('agent') ?? true
}

const isForAgents = ({ operations }: Control) => operations.every(canAgentsCall)

/** Operations of the headers of HTTP nodes, several steps away from the screen: by scope, as on settings pages. */
const ofHttpNodes = ['GET /secrets', 'PUT /secrets/{name}']

/** Returns the operations that the sources of the console name. */
function listCalls(): string[] {
  const folder = path.join(projectRoot, 'console')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    /\.tsx?$/.test(name),
  )
  const calls = files.flatMap(name => [
    ...readFileSync(path.join(folder, name), 'utf8').matchAll(
      /\bapi\.(GET|POST|PUT|PATCH|DELETE)\(\s*'([^']+)'/g,
    ),
  ])
  return [...new Set(calls.map(([, method, address]) => `${method} ${address}`))]
}

const listOperations = () => [
  ...screens.flatMap(({ controls = [] }) => controls.flatMap(item => item.operations)),
  ...ofHttpNodes,
]

const find = (page: Page, { name, role = 'button' }: Control): Locator =>
  main(page).getByRole(role, { name, exact: typeof name === 'string' })

describe.skipIf(!hasBrowser)('rights on every screen', async () => {
  const service = await testService({ CONSOLE: 'development', OUTBOUND_LOOPBACK: 'on' }, { console: true })

  test('the table has a control for every operation of the console that agents may not call', () => {
    const listed = new Set(listOperations())
    const missing = listCalls().filter(operation => !canAgentsCall(operation) && !listed.has(operation))
    expect(missing).toEqual([])
  })

  test('owners have the controls, agents do not, and their requests are refused', async () => {
    const office = await openOffice(service)
    const things = await fillOffice(office)
    const owner = (await openTab()).page
    const agent = (await openTab({ expected: /status of 403/ })).page
    await signIn(owner, service, office.owner, '/settings')
    await signIn(agent, service, things.agent, '/settings')
    const refused: string[] = []
    agent.on('response', response => {
      if (response.status() === 403) refused.push(response.url())
    })
    await checkEach(async screen => {
      const { controls = [], scope, content } = screen
      const name = nameScreen(screen)
      await goTo(agent, toAddress(screen, things))
      await heading(agent, screen).first().waitFor()
      if (scope) {
        await main(agent).getByText(`You need the scope ${scope}. Owners and admins have it.`).waitFor()
        expect(await main(agent).getByRole('button').count(), name).toBe(0)
      } else await main(agent).getByText(content).first().waitFor()
      expect(refused.splice(0), `${name} requests what the agent may read`).toEqual([])
      if (controls.length === 0) return
      await goTo(owner, toAddress(screen, things))
      await main(owner).getByText(content).first().waitFor()
      for (const control of controls) {
        if (control.behind)
          for (const page of [owner, agent])
            await main(page).getByRole('checkbox', { name: control.behind }).check()
        await find(owner, control).first().waitFor()
        const shown = (await find(agent, control).count()) > 0
        expect(shown, `${name}: ${control.name} for agents`).toBe(isForAgents(control))
      }
    })
    for (const operation of new Set(listOperations())) {
      if (canAgentsCall(operation)) continue
      const [method, address] = operation.split(' ') as [string, string]
      const status = await requestAs(agent, method, address.replace(/\{\w+\}/g, 'x'), bodyOf(method))
      expect(status, operation).toBe(403)
    }
  })
})

/** The rights are checked before the body. */
const bodyOf = (method: string) => (method === 'GET' || method === 'DELETE' ? undefined : {})
