/**
 * Takes the screenshots of the README: starts a service with an empty data directory, lets customers write, and saves the
 * inbox and the demo shop in light and dark to docs/images. Run `npm run screenshots` after the inbox changed.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { projectRoot } from '../src/platform/project-root.ts'
import { findBrowser } from '../test/browser/support/find-browser.ts'

const maxBytes = 150_000
const folder = path.join(projectRoot, 'docs/images')

const customers = [
  ['Omar Haddad', 'Great service as always'],
  ['Liam Byrne', 'Where do I find the size chart?'],
  ['Lucas Moreau', 'Is the return free of charge?'],
  ['Noah Fischer', 'Your invoice shows the wrong VAT number'],
  ['Hana Sato', 'My voucher code does not work'],
  ['Elif Demir', 'I would like to change the delivery address'],
  ['Tomás Rivera', 'Do you ship to the Canary Islands?'],
  ['Priya Nair', 'Two of the three parcels are here, thank you!'],
  ['Jonas Weber', 'The blue one arrived damaged. Can I swap it?'],
  ['Mira Okafor', 'Hi! Is my order 4711 on its way?'],
] as const

interface Credentials {
  baseUrl: string
  tenantId: string
  owner: { email: string; password: string }
}

const findPort = () =>
  new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

async function retry<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch {
      await new Promise(resolve => setTimeout(resolve, 200))
    }
  }
}

async function connect({ baseUrl, owner, tenantId }: Credentials) {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  // biome-ignore lint/suspicious/noExplicitAny: responses of many operations
  const call = async (method: string, address: string, body?: object): Promise<any> => {
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const response = await fetch(`${baseUrl}/v1${address}`, init)
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? undefined : response.json()
  }
  const { accessToken } = await call('POST', '/auth/login', { ...owner, tenantId })
  headers.authorization = `Bearer ${accessToken}`
  return call
}

/** Creates conversations in several states; returns the id of the one to open. */
async function seed(credentials: Credentials): Promise<string> {
  const call = await connect(credentials)
  const { inboxes } = await call('GET', '/inboxes')
  const { id: inboxId } = inboxes.find(({ channel }: { channel: string }) => channel === 'chatapp')
  for (const [position, [profileName, body]] of customers.entries()) {
    const content = { type: 'text', text: { body } }
    const from = `+1415555${2000 + position}`
    await call('POST', '/sandbox/inbound', { inboxId, from, profileName, content })
  }
  const conversations = await retry(async () => {
    const found = (await call('GET', '/conversations')).conversations
    if (found.length < customers.length) throw new Error('not all have arrived')
    return new Map<string, string>(found.map(({ id, name }: { id: string; name: string }) => [name, id]))
  })
  const pathOf = (name: string) => `/conversations/${conversations.get(name)}`
  const me = await call('GET', '/users/me')
  await call('PATCH', '/users/me', { name: 'Ana Lima' })
  const team = await call('POST', '/teams', { name: 'Shipping' })
  const [damage, vip] = [
    await call('POST', '/labels', { name: 'damage' }),
    await call('POST', '/labels', { name: 'vip' }),
  ]
  await call('PUT', `${pathOf('Jonas Weber')}/labels/${damage.id}`)
  await call('PUT', `${pathOf('Jonas Weber')}/priority`, { priority: 'urgent' })
  await call('PUT', `${pathOf('Hana Sato')}/labels/${vip.id}`)
  await call('PUT', `${pathOf('Elif Demir')}/owner`, { type: 'team', id: team.id })
  await call('PUT', `${pathOf('Mira Okafor')}/owner`, { type: 'user', id: me.id })
  await call('POST', '/views', { name: 'VIP', filter: { status: ['open'], labelIds: [vip.id] } })
  await describe(call, pathOf('Mira Okafor'), vip.id)
  const open = pathOf('Mira Okafor')
  await call('POST', `${open}/notes`, { text: 'Parcel 4711 left the warehouse this morning.' })
  for (const body of [
    'Hello Mira! Yes, it left our warehouse this morning.',
    'It arrives tomorrow before noon.',
  ])
    await call('POST', `${open}/messages`, { content: { type: 'text', text: { body } } })
  return conversations.get('Mira Okafor')!
}

type Call = Awaited<ReturnType<typeof connect>>

/** Fills the details of the conversation, so that they show what they are for. */
async function describe(call: Call, conversation: string, labelId: string): Promise<void> {
  await call('PUT', `${conversation}/labels/${labelId}`)
  await call('PUT', `${conversation}/priority`, { priority: 'high' })
  const { contactId } = await call('GET', conversation)
  for (const name of ['Plan', 'City']) await call('POST', '/contacts/custom-fields', { name, type: 'text' })
  const customFields = { cf_email: 'mira@example.com', City: 'Lisbon', Plan: 'Business' }
  await call('PATCH', `/contacts/${contactId}`, { customFields })
  for (const name of ['newsletter', 'regular']) {
    const tag = await call('POST', '/tags', { name })
    await call('POST', `/contacts/${contactId}/tags/${tag.id}`)
  }
}

async function take(
  browser: Browser,
  credentials: Credentials,
  conversationId: string,
  theme: 'light' | 'dark',
) {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 760 },
    colorScheme: theme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(`${credentials.baseUrl}/inbox/${conversationId}`)
  await page.getByLabel('E-mail').fill(credentials.owner.email)
  await page.getByLabel('Password', { exact: true }).fill(credentials.owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('log').getByText('It arrives tomorrow').waitFor()
  await page
    .getByRole('log')
    .getByText(/Delivered|Read/)
    .first()
    .waitFor()
  await page.getByRole('link', { name: `All ${customers.length}`, exact: true }).waitFor()
  await save(page, `inbox-${theme}`)
  await context.close()
}

const answered = new Set<string>()

/** The demo: a customer asks in the web chat of the shop, and the inbox beside it answers. */
async function takeDemo(browser: Browser, credentials: Credentials, theme: 'light' | 'dark') {
  const call = await connect(credentials)
  const context = await browser.newContext({
    viewport: { width: 1400, height: 760 },
    colorScheme: theme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(`${credentials.baseUrl}/demo`)
  const inbox = page.frameLocator('iframe[title="Inbox"]')
  await inbox.getByLabel('E-mail').fill(credentials.owner.email)
  await inbox.getByLabel('Password', { exact: true }).fill(credentials.owner.password)
  await inbox.getByLabel('Password', { exact: true }).press('Enter')
  await inbox.getByRole('navigation', { name: 'Navigation' }).waitFor()
  await page.getByRole('button', { name: 'Open the chat' }).click()
  const chat = page.frameLocator('iframe[title="Website"]')
  const question = 'Is the Pier lamp in stock?'
  await chat.getByRole('textbox', { name: 'Message' }).fill(question)
  await chat.getByRole('textbox', { name: 'Message' }).press('Enter')
  const conversation = await retry(async () => {
    const { conversations } = await call('GET', '/conversations')
    const newest = conversations.find(({ channel }: { channel: string }) => channel === 'webchat')
    if (!newest || answered.has(newest.id)) throw new Error('not arrived')
    answered.add(newest.id)
    return newest
  })
  const answer = { type: 'text', text: { body: 'Hello! Yes, it is. It can be with you on Friday.' } }
  await call('POST', `/conversations/${conversation.id}/messages`, { content: answer })
  await chat.getByRole('log').getByText(answer.text.body).waitFor()
  await inbox.getByText(question).or(inbox.getByText(answer.text.body)).first().click()
  await inbox.getByRole('log').getByText(answer.text.body).waitFor()
  await save(page, `demo-${theme}`)
  await context.close()
}

async function save(page: Page, name: string): Promise<void> {
  const file = path.join(folder, `${name}.png`)
  // The browser compresses for speed. Without a filter, text on plain areas is smallest.
  const options = { colorType: 2, filterType: 0, deflateLevel: 9, deflateStrategy: 0 } as const
  writeFileSync(file, PNG.sync.write(PNG.sync.read(await page.screenshot()), options))
  const { size } = statSync(file)
  if (size > maxBytes) throw new Error(`${file} has ${size} bytes, more than ${maxBytes}`)
  console.log(`${path.relative(projectRoot, file)}: ${size} bytes`)
}

const data = mkdtempSync(path.join(tmpdir(), 'parley-screenshots-'))
const port = await findPort()
const env = { ...process.env, DATA_DIR: data, PORT: String(port), LOG_LEVEL: 'error' }
const service = spawn(process.execPath, [path.join(projectRoot, 'bin/parley.js'), 'serve'], { env })
try {
  await retry(async () => {
    if (!(await fetch(`http://127.0.0.1:${port}/readyz`)).ok) throw new Error('not ready')
  })
  const credentials = JSON.parse(readFileSync(path.join(data, 'credentials.json'), 'utf8')) as Credentials
  const conversationId = await seed(credentials)
  const found = findBrowser()
  if (!found) throw new Error('no browser: set PARLEY_BROWSER or install chromium')
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    chromiumSandbox: found.hasSandbox,
    env: { ...(process.env as Record<string, string>), ...found.env },
  })
  mkdirSync(folder, { recursive: true })
  const themes = ['light', 'dark'] as const
  for (const theme of themes) await take(browser, credentials, conversationId, theme)
  for (const theme of themes) await takeDemo(browser, credentials, theme)
  await browser.close()
} finally {
  service.kill()
  await new Promise(resolve => service.once('exit', resolve))
  rmSync(data, { recursive: true })
}
