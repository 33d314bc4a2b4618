/** What others make of our API document and of the page that shows it. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fresh, scratch, start } from '../system/program.ts'
import { load } from './load.ts'

const root = scratch()

test('a linter of API documents finds nothing wrong', async () => {
  await load('svix') // installs what is here
  const cli = path.join(import.meta.dirname, 'node_modules/@redocly/cli/bin/cli.js')
  const document = path.resolve(import.meta.dirname, '../../openapi.json')
  const child = spawn(
    process.execPath,
    [cli, 'lint', document, '--config', 'redocly.yaml', '--format', 'json'],
    {
      cwd: import.meta.dirname,
      env: {
        PATH: process.env.PATH,
        HOME: root,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      },
    },
  )
  let [output, errors] = ['', '']
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  await new Promise(resolve => child.on('close', resolve))
  const { totals, problems } = JSON.parse(output.slice(output.indexOf('{')) || errors)
  const found = problems.map(
    (one: { ruleId: string; message: string; location: { pointer: string }[] }) =>
      `${one.ruleId} at ${one.location[0]?.pointer}: ${one.message}`,
  )
  expect(found).toEqual([])
  expect(totals).toMatchObject({ errors: 0, warnings: 0 })
})

/** The browser that comes from npm runs on this kind of machine only; elsewhere one that is installed serves. */
async function browserPath(): Promise<string | undefined> {
  if (process.arch === 'x64') return (await load('@sparticuz/chromium')).default.executablePath()
  return ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
}

test('/docs shows the operations in a real browser, and asks nobody else for anything', async context => {
  const executablePath = await browserPath()
  if (!executablePath) return context.skip('there is no browser for this machine: install chromium')
  const service = await start({ dataDir: fresh(root, 'data') })
  await service.ready()
  const { chromium } = await load('playwright-core')
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(120_000)
  const asked: string[] = []
  const wrong: string[] = []
  page.on('request', (request: { url(): string }) => asked.push(request.url()))
  page.on('pageerror', (error: Error) => wrong.push(error.message))
  page.on('console', (line: { type(): string; text(): string }) => {
    if (line.type() === 'error') wrong.push(line.text())
  })
  await page.goto(`${service.url}/docs`)
  const { tags } = (await (await fetch(`${service.url}/v1/openapi.json`)).json()) as { tags: unknown[] }
  await page.locator('.opblock-tag').first().waitFor()
  expect(await page.locator('.opblock-tag').count()).toBe(tags.length)
  await page.locator('#operations-tag-Users').click()
  await page.locator('.opblock-summary', { hasText: '/users/me' }).first().click()
  await page.locator('.responses-wrapper').first().waitFor()
  expect(wrong).toEqual([])
  const hosts = asked.filter(url => /^https?:/.test(url)).map(url => new URL(url).origin)
  expect(new Set(hosts)).toEqual(new Set([service.url]))
})
