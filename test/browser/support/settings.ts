/** Checks that every settings screen must pass. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  expectAccessibleLayout,
  expectAccessibleThemes,
  expectNoSidewaysScroll,
  screenshots,
} from './browser.ts'

/** Fails on violations in light and dark, on sideways scrolling at 320 px, and if a reload shows another heading. */
export async function expectGoodScreen(page: Page, name: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 })
  const title = await heading.innerText()
  await expectAccessibleThemes(page, name)
  await screenshots(page, name)
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 320, height: 700 })
  await expectNoSidewaysScroll(page)
  await expectNarrowContent(page)
  await expectAccessibleLayout(page, `${name}, narrow`)
  await page.setViewportSize(size)
  const address = page.url()
  await page.reload()
  await heading.filter({ hasText: title }).waitFor()
  expect(page.url()).toBe(address)
}

/** The page scrolls in a region of its own, which must not scroll sideways either. */
async function expectNarrowContent(page: Page): Promise<void> {
  const region = page.getByRole('region', { name: 'Settings', exact: true })
  const { scroll, client } = await region.evaluate(({ scrollWidth, clientWidth }) => ({
    scroll: scrollWidth,
    client: clientWidth,
  }))
  expect(scroll).toBeLessThanOrEqual(client)
}

/** An empty list says what it is for, and has the button that creates the first item, for users who may. */
export async function expectEmptyList(
  page: Page,
  title: string,
  create: string | undefined,
  purpose: string,
): Promise<void> {
  const content = page.getByRole('region', { name: 'Settings', exact: true })
  const list = content.getByText(title, { exact: true }).locator('..')
  await list.getByText(purpose, { exact: true }).waitFor()
  const names = await list.getByRole('button').allInnerTexts()
  expect(names).toEqual(create === undefined ? [] : [create])
  expect(await content.getByRole('button').allInnerTexts()).toEqual(names)
}

/** Sends a request with the session of the page; returns its status. */
export async function requestAs(page: Page, method: string, path: string, body?: unknown): Promise<number> {
  return page.evaluate(
    async ([verb, url, text]) => {
      const headers = { 'content-type': 'application/json' }
      const init = text === undefined ? { method: verb } : { method: verb, headers, body: text }
      return (await fetch(`/v1${url}`, init as RequestInit)).status
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  )
}
