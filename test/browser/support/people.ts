/** Creates workspaces with people who can sign in. */
import { hash } from '@node-rs/argon2'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { UserId } from '../../../src/identity/schemas.ts'
import { insertUser } from '../../../src/identity/store/users.ts'
import { createWorkspace } from '../../../src/identity/workspace/tenants.ts'
import { transact } from '../../../src/platform/db/transact.ts'
import { type Client, client } from '../../harness/api.ts'
import type { TestService } from '../../harness/service.ts'

export const password = 'plum-Harbor-42-lantern'
/** A hash that is quick to verify: every test signs in several times. */
const passwordHash = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

export interface Person {
  email: string
  id: string
  /** Calls the API as this person. */
  api: Client
}

export interface Office {
  tenantId: string
  owner: Person
  inboxId: string
  /** Adds a colleague. */
  hire(name: string, role?: 'admin' | 'agent', email?: string): Promise<Person>
  /** Adds a service account; returns a client with its key. */
  addRobot(name: string): Promise<Client>
  /** Lets a customer write. */
  receive(from: string, text: string, name?: string): Promise<void>
}

async function logIn(service: TestService, tenantId: string, id: string, email: string): Promise<Person> {
  const response = await service.anonymous.post('/auth/login', { email, password, tenantId })
  expect(response.status).toBe(200)
  return { email, id, api: client(service.url, tenantId, id, response.body.accessToken) }
}

const newEmail = () => `${UserId.create()}@example.com`

export async function openOffice(
  service: TestService,
  name = 'Harbor Lights',
  email = newEmail(),
): Promise<Office> {
  const { tenantId, ownerId } = await transact(service.deps.db, tx =>
    createWorkspace(tx, { name, owner: { name: 'Ana Lima', email, passwordHash } }),
  )
  const owner = await logIn(service, tenantId, ownerId, email)
  const waba = String(Math.floor(Math.random() * 1e9))
  const chatapp = { resourceIds: [waba], phoneNumberIds: [`${waba}1`] }
  const connected = await owner.api.post('/inboxes', { chatapp })
  const inboxId = connected.body.inboxes[0].id as string
  return {
    tenantId,
    owner,
    inboxId,
    hire: async (userName, role = 'agent', address = newEmail()) => {
      const id = UserId.create()
      const user = { id, name: userName, email: address, role, provider: 'password', invited: false } as const
      await transact(service.deps.db, tx => insertUser(tx, tenantId, { ...user, passwordHash }))
      return logIn(service, tenantId, id, address)
    },
    addRobot: async robotName => {
      const { id } = (await owner.api.post('/service-accounts', { name: robotName })).body
      const { body } = await owner.api.post(`/service-accounts/${id}/api-keys`, { name: 'Key' })
      return client(service.url, tenantId, id, body.key)
    },
    receive: async (from, text, customerName) => {
      const content = { type: 'text', text: { body: text } }
      const profile = customerName ? { profileName: customerName } : {}
      const response = await owner.api.post('/sandbox/inbound', { inboxId, from, content, ...profile })
      expect(response.status, JSON.stringify(response.body)).toBe(202)
    },
  }
}

/** Opens the address in a signed-in browser. The form has tests of its own; loading it in every test takes too long. */
export async function signIn(page: Page, service: TestService, person: Person, at = '/inbox'): Promise<void> {
  const blank = `${service.url}/blank`
  const html = '<!doctype html><link rel="icon" href="data:,">'
  await page.route(blank, route => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto(blank)
  const status = await page.evaluate(
    async credentials => {
      const body = JSON.stringify(credentials)
      const headers = { 'content-type': 'application/json' }
      const response = await fetch('/v1/auth/sessions', { method: 'POST', headers, body })
      localStorage.setItem('parley.session', 'yes')
      return response.status
    },
    { email: person.email, password },
  )
  expect(status).toBe(204)
  await page.unroute(blank)
  await page.goto(`${service.url}${at}`)
  // A panel that covers the page of a phone hides the navigation.
  const navigation = page.getByRole('navigation', { name: 'Navigation' })
  await navigation.or(page.getByRole('dialog')).first().waitFor()
}

/** Turns off the time to take a message back, for tests about sending. */
export async function sendImmediately(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('parley.preferences', '{"undoSendSeconds":0}'))
}
