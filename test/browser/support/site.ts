/** Websites of customers: pages of another origin that embed the web chat. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Locator, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import type { TestService } from '../../harness/service.ts'
import type { Office } from './people.ts'

interface SitePage {
  body: string
  headers?: Record<string, string>
}

export interface Site {
  /** `localhost`, while the service is at 127.0.0.1: another site for the browser. */
  origin: string
  /** Serves the page at the path. */
  set(path: string, page: SitePage): void
}

export async function startSite(): Promise<Site> {
  const pages = new Map<string, SitePage>()
  const server = createServer((request, response) => {
    const page = pages.get(request.url!.split('?')[0]!)
    const headers = { 'content-type': 'text/html; charset=utf-8', ...page?.headers }
    response.writeHead(page ? 200 : 404, headers).end(page?.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { origin: `http://localhost:${port}`, set: (path, page) => pages.set(path, page) }
}

export interface Webchat {
  inboxId: string
  inboxKey: string
  /** The line that a page contains. */
  script: string
}

/** Connects a web chat that pages of the origins may embed. */
export async function addWebchat(
  service: TestService,
  { owner }: Office,
  origins: string[],
  settings: object = {},
): Promise<Webchat> {
  const created = await owner.api.post('/inboxes', {
    webchat: { name: 'Harbor Lights', allowedOrigins: origins },
  })
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  const { id, externalId } = created.body.inboxes[0]
  const changed = await owner.api.patch(`/inboxes/${id}`, settings)
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  const script = `<script async src="${service.url}/widget.js" data-inbox="${externalId}"></script>`
  return { inboxId: id, inboxKey: externalId, script }
}

export const renderPage = (script: string, content = '<h1>Lamps</h1><p>For long evenings.</p>') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">${script}</head><body><main>${content}</main></body></html>`

export interface Widget {
  button: Locator
  frame: FrameLocator
  log: Locator
  field: Locator
  /** Opens the chat with the button. */
  open(): Promise<void>
  say(text: string): Promise<void>
}

/** The chat on a page; `title` distinguishes several. */
export function findWidget(page: Page, title = 'Harbor Lights'): Widget {
  const region = page.getByRole('region', { name: title })
  const button = region.getByRole('button')
  const frame = page.frameLocator(`iframe[title="${title}"]`)
  const field = frame.getByRole('textbox', { name: 'Message', exact: true })
  return {
    button,
    frame,
    field,
    log: frame.getByRole('log'),
    open: async () => {
      await button.click()
      await field.waitFor()
    },
    say: async text => {
      await field.fill(text)
      await field.press('Enter')
    },
  }
}
