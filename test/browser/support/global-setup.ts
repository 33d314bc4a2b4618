/** Builds the console and the widget, and launches one browser for all browser tests. Without a browser they are skipped, in CI they fail. */
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { buildProgram } from '../../harness/build-program.ts'
import { findBrowser } from './find-browser.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    browser: string | undefined
  }
}

const notRun = 'browser tests NOT RUN: no browser (set PARLEY_BROWSER or install chromium)'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const found = findBrowser()
  if (!found) {
    if (process.env.CI === 'true' && process.env.PARLEY_BROWSER !== 'none') throw new Error(notRun)
    project.provide('browser', undefined)
    return async () => console.log(notRun)
  }
  const launching = chromium.launchServer({
    executablePath: found.executablePath,
    chromiumSandbox: found.hasSandbox,
    env: { ...(process.env as Record<string, string>), ...found.env },
  })
  const [server] = await Promise.all([launching, buildProgram()])
  project.provide('browser', server.wsEndpoint())
  return () => server.close()
}
