/** Tests the OpenAPI document with two linters and the reference page in a browser. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fresh, scratch, start } from '../system/program.ts'
import { load } from './packages.ts'

const root = scratch()

const document = path.resolve(import.meta.dirname, '../../openapi.json')

/** Runs a linter on the document and returns what it writes. */
async function lint(cli: string, ...options: string[]): Promise<string> {
  await load('svix') // installs the packages
  const args = [path.join(import.meta.dirname, 'node_modules', cli), 'lint', document, ...options]
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  }
  const child = spawn(process.execPath, args, { cwd: import.meta.dirname, env })
  const chunks: string[] = []
  child.stdout.on('data', chunk => chunks.push(String(chunk)))
  child.stderr.on('data', chunk => chunks.push(String(chunk)))
  await new Promise(resolve => child.on('close', resolve))
  return chunks.join('')
}

test('Redocly finds no problems in the document', async () => {
  const output = await lint('@redocly/cli/bin/cli.js', '--config', 'redocly.yaml', '--format', 'json')
  const { totals, problems } = JSON.parse(output.slice(output.indexOf('{\n'), output.lastIndexOf('}') + 1))
  const lines = problems.map(
    ({ ruleId, location, message }: { ruleId: string; message: string; location: { pointer: string }[] }) =>
      `${ruleId} at ${location[0]?.pointer}: ${message}`,
  )
  expect(lines).toEqual([])
  expect(totals).toMatchObject({ errors: 0, warnings: 0 })
})

test('Spectral finds no problems in the document, not even hints', async () => {
  const cli = '@stoplight/spectral-cli/dist/index.js'
  const output = await lint(cli, '--ruleset', 'spectral.yaml', '--fail-severity', 'hint')
  expect(output.trim()).toBe("No results with a severity of 'hint' or higher found!")
})

/** Finds a browser: the npm package supports x64 only; other machines need an installed one. */
async function findBrowser(): Promise<string | undefined> {
  if (process.arch === 'x64') return (await load('@sparticuz/chromium')).default.executablePath()
  return ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
}

test('/docs shows the operations in a real browser and requests nothing from other hosts', async context => {
  const executablePath = await findBrowser()
  if (!executablePath) return context.skip('no browser found: install chromium')
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
  const requested: string[] = []
  const errors: string[] = []
  page.on('request', (request: { url(): string }) => requested.push(request.url()))
  page.on('pageerror', (error: Error) => errors.push(error.message))
  page.on('console', (line: { type(): string; text(): string }) => {
    if (line.type() === 'error') errors.push(line.text())
  })
  await page.goto(`${service.url}/docs`)
  const { tags } = (await (await fetch(`${service.url}/v1/openapi.json`)).json()) as { tags: unknown[] }
  await page.locator('.opblock-tag').first().waitFor()
  expect(await page.locator('.opblock-tag').count()).toBe(tags.length)
  await page.locator('#operations-tag-Users').click()
  await page.locator('.opblock-summary', { hasText: '/users/me' }).first().click()
  await page.locator('.responses-wrapper').first().waitFor()
  expect(errors).toEqual([])
  const hosts = requested.filter(url => /^https?:/.test(url)).map(url => new URL(url).origin)
  expect(new Set(hosts)).toEqual(new Set([service.url]))
})
