/** Tests the OpenAPI document with two linters. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../system/program.ts'
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
