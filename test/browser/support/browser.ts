/**
 * Opens the console in a real browser. A test fails on console errors and on violations of the content policy, and leaves
 * a screenshot, the ARIA snapshot and the console output behind.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Page } from 'playwright-core'
import { afterAll, expect, inject, onTestFinished } from 'vitest'
import { projectRoot } from '../../../src/platform/project-root.ts'

export const hasBrowser = inject('browser') !== undefined

const artefacts = path.join(projectRoot, 'node_modules/.cache/browser-tests')
let browser: Promise<Browser> | undefined

function connect(): Promise<Browser> {
  browser ??= chromium.connect(inject('browser')!)
  return browser
}

afterAll(async () => {
  await (await browser)?.close()
  browser = undefined
})

export interface ConsoleTab {
  page: Page
  /** Problems that the browser reported; expected to be empty at the end of the test. */
  problems: string[]
  /** Opens another tab of the same browser profile. */
  another(): Promise<ConsoleTab>
}

export interface OpenOptions extends BrowserContextOptions {
  /** Reports that this test causes on purpose. */
  expected?: RegExp
}

const defaults = {
  viewport: { width: 1360, height: 850 },
  locale: 'en-GB',
  timezoneId: 'Europe/Berlin',
  reducedMotion: 'reduce',
} as const

/** Opens a tab in a profile of its own. */
export async function openTab({ expected, ...options }: OpenOptions = {}): Promise<ConsoleTab> {
  const context = await (await connect()).newContext({ ...defaults, ...options })
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const page of context.pages()) await saveArtefacts(page, task.name)
    await context.close()
  })
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', event => {
      console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`)
    })
  })
  const open = async (): Promise<ConsoleTab> => {
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    return { ...watch(page, expected), another: open }
  }
  return open()
}

const problemsOf = new WeakMap<Page, string[]>()

function watch(page: Page, expected: RegExp | undefined): Omit<ConsoleTab, 'another'> {
  const problems: string[] = []
  problemsOf.set(page, problems)
  const add = (text: string) => {
    if (!expected?.test(text) && !paused.has(page)) problems.push(text)
  }
  page.on('pageerror', error => add(`page error: ${error.stack ?? error.message}`))
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning')
      add(`${message.text()} ${message.location().url}`)
  })
  onTestFinished(() => expect(problems, 'reported by the browser').toEqual([]))
  return { page, problems }
}

let savedCount = 0

/** Numbered: a test may have several browsers. */
async function saveArtefacts(page: Page, test: string): Promise<void> {
  const name = path.join(artefacts, `${test.replace(/\W+/g, '-').slice(0, 80)}-${++savedCount}`)
  mkdirSync(artefacts, { recursive: true })
  await page.screenshot({ path: `${name}.png` }).catch(() => {})
  const aria = await page.locator('body').ariaSnapshot().catch(String)
  writeFileSync(`${name}.txt`, `${page.url()}\n${problemsOf.get(page)?.join('\n')}\n\n${aria}`)
}

/**
 * Holds the connections of pages that are loaded from now on until the returned function is called. A page reads its
 * state again after the first frame, and an error that a test looks at would disappear.
 */
export async function holdConnections(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  await page.routeWebSocket(/\/v1\/realtime/, async socket => {
    await released
    socket.connectToServer()
  })
  return release
}

/** axe calls the frames of a page, which the browser reports: such reports are not ours. */
const paused = new WeakSet<Page>()
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface AxeViolation {
  id: string
  help: string
  nodes: { html: string }[]
}

/** Limits the check to the elements that match; the rules of whole pages are left out then. */
type Part = string | undefined

/** The options of axe that select its rules. */
interface Rules {
  runOnly: object
  rules?: object
}

async function runAxe(page: Page, rules: Rules, part: Part, frame?: Frame): Promise<AxeViolation[]> {
  const target = frame ?? page
  paused.add(page)
  if (!(await target.evaluate(() => 'axe' in window))) await target.evaluate(axeSource)
  const violations = await target.evaluate(
    async ([selector, options]) => {
      // @ts-expect-error: axe is a global of the page
      const result = await window.axe.run(selector ?? document, {
        ...options,
        resultTypes: ['violations'],
        // Of what axe can load again, no rule of ours needs the stylesheets.
        preload: { assets: ['media'] },
      })
      return result.violations as AxeViolation[]
    },
    [part, rules] as const,
  )
  paused.delete(page)
  return violations
}

const allRules: Rules = { runOnly: { type: 'tag', values: tags } }
const contrastOnly: Rules = { runOnly: { type: 'rule', values: ['color-contrast'] } }
const allButContrast: Rules = { ...allRules, rules: { 'color-contrast': { enabled: false } } }

/** Fails if axe finds a violation on the page, or in one of its frames, as it is now. */
export const expectAccessible = (page: Page, name: string, part?: Part, frame?: Frame): Promise<void> =>
  expectRules(page, allRules, name, part, frame)

/** Leaves out the rule of colours, which takes almost half of the time: for another width of a screen that was checked. */
export const expectAccessibleLayout = (page: Page, name: string): Promise<void> =>
  expectRules(page, allButContrast, name)

async function expectRules(
  page: Page,
  rules: Rules,
  name: string,
  part?: Part,
  frame?: Frame,
): Promise<void> {
  const violations = await runAxe(page, rules, part, frame)
  // Open menus and tooltips are at the end of the page, outside its landmarks, as in the patterns of ARIA.
  const isOverlay = ({ id, nodes }: AxeViolation) =>
    id === 'region' && nodes.every(({ html }) => html.includes('data-radix-popper-co'))
  expectNone(
    violations.filter(item => !isOverlay(item)),
    name,
  )
}

/** Fails on violations in light and dark; of the two, only the colours differ. */
export async function expectAccessibleThemes(
  page: Page,
  name: string,
  part?: Part,
  frame?: Frame,
): Promise<void> {
  await expectAccessible(page, name, part, frame)
  await page.emulateMedia({ colorScheme: 'dark' })
  expectNone(await runAxe(page, contrastOnly, part, frame), `${name}, dark`)
  await page.emulateMedia({ colorScheme: 'light' })
}

function expectNone(violations: readonly AxeViolation[], name: string): void {
  const found = violations.map(({ id, help, nodes }) => [`${id}: ${help}`, ...nodes.map(node => node.html)])
  expect(found, `axe: ${name}`).toEqual([])
}

/** Fails if the page scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { scroll, client } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    client: document.documentElement.clientWidth,
  }))
  expect(scroll).toBeLessThanOrEqual(client)
}

/** Saves the page in three widths, light and dark, if SCREENSHOTS names a directory. */
export async function screenshots(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return
  const size = page.viewportSize()!
  for (const width of [1360, 768, 360]) {
    await page.setViewportSize({ width, height: width < 500 ? 740 : 850 })
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await screenshot(page, `${name}-${width}-${colorScheme}`)
    }
  }
  await page.setViewportSize(size)
}

/** Saves a screenshot for people if SCREENSHOTS names a directory. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`) })
}
