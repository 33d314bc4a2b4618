/** Operates pages by keyboard alone, and fails when the focus is lost on the way. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { within } from '../../harness/wait.ts'

const maxTabs = 120

export const isFocused = (target: Locator) =>
  target.evaluate(element => element === document.activeElement).catch(() => false)

/** Waits until the element has the focus. */
export async function expectFocus(target: Locator): Promise<void> {
  await expect.poll(() => isFocused(target), { message: `${target} has the focus` }).toBe(true)
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let n = 0; n < maxTabs && !(await isFocused(target)); ) n += await tabWhileShown(page, target, key)
  expect(await isFocused(target), `${target} is reached by ${key}`).toBe(true)
  const hasRing = () =>
    target.evaluate(element => {
      const { outlineStyle, boxShadow } = getComputedStyle(element)
      return element.matches(':focus-visible') && (outlineStyle !== 'none' || boxShadow !== 'none')
    })
  await expect.poll(hasRing, { message: 'the focus is visible' }).toBe(true)
}

/**
 * Presses Tab until the element has the focus, or has been replaced by another one; returns how often. The element is looked
 * up once: a search by role reads the whole page.
 */
async function tabWhileShown(page: Page, target: Locator, key: string): Promise<number> {
  const element = await target.elementHandle()
  const isReached = () =>
    element!.evaluate(node => node === document.activeElement || !node.isConnected).catch(() => true)
  let presses = 0
  do {
    await page.keyboard.press(key)
    presses++
  } while (presses < maxTabs && !(await isReached()))
  await element!.dispose()
  return presses
}

/** Records the controls after which nothing had the focus, from the first one that has it. Call it before the page is loaded. */
export async function watchFocus(page: Page): Promise<void> {
  // Dialogs return the focus shortly after they have disappeared, and a page takes it when it is loaded.
  const graceTicks = Math.ceil(within(200) / 50)
  await page.addInitScript(graceTicks => {
    const lost: string[] = []
    Object.assign(window, { lost })
    let last: Element | undefined
    let ticks = 0
    addEventListener('focusin', ({ target }) => {
      last = target as Element
    })
    setInterval(() => {
      if (document.activeElement !== document.body) ticks = 0
      else if (last && ++ticks === graceTicks)
        lost.push(last.getAttribute('aria-label') ?? last.textContent ?? last.outerHTML)
    }, 50)
  }, graceTicks)
}

/** Fails if nothing has the focus, or if it was lost since the page was loaded. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement !== document.body), {
      message: 'an element has the focus',
    })
    .toBe(true)
  const lost = await page.evaluate(() => (window as unknown as { lost: string[] }).lost)
  expect(lost, 'the focus was lost after').toEqual([])
}

export interface Keys {
  /** Presses the key. */
  press(key: string): Promise<void>
  type(text: string): Promise<void>
  /** Replaces the text of the field that has the focus. */
  replace(text: string): Promise<void>
  /** Reaches the element by Tab and presses Enter, or another key. */
  activate(target: Locator, key?: string, direction?: 'Tab' | 'Shift+Tab'): Promise<void>
  /** Opens a page of the settings with its link. */
  openSettings(name: string): Promise<void>
}

/** Each step fails if nothing has the focus after it. */
export function startWalk(page: Page): Keys {
  const { keyboard } = page
  const press = async (key: string) => {
    await keyboard.press(key)
    await expectFocusKept(page)
  }
  const activate: Keys['activate'] = async (target, key = 'Enter', direction = 'Tab') => {
    await tabTo(page, target, direction)
    await press(key)
  }
  return {
    press,
    activate,
    type: text => keyboard.type(text),
    replace: async text => {
      await press('ControlOrMeta+a')
      await keyboard.type(text)
    },
    openSettings: async name => {
      const link = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true })
      await activate(link, 'Enter', 'Shift+Tab')
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      await expectFocus(link)
    },
  }
}
