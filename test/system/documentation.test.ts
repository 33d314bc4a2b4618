/** Tests the commands in the documents. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkout, eventually, fresh, scratch, start } from './program.ts'

const root = scratch()
const documents = ['.', 'docs', 'docs/internals', 'docs/decisions', 'client'].flatMap(folder =>
  readdirSync(path.join(checkout, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => path.join(folder, name)),
)
const read = (file: string) => readFileSync(path.join(checkout, file), 'utf8')

test("the commands of the README's tour work as they are, and the last one prints delivered", async () => {
  const [, tour] = /## Five minutes\n([\s\S]*?)\nThe API reference/.exec(read('README.md'))!
  const commands = tour!
    .split('\n')
    .filter(line => line.startsWith('    '))
    .map(line => line.slice(4))
  expect(commands.join('\n')).toContain('deliveryStatus')
  const folder = fresh(root, 'tour')
  const service = await start({ dataDir: fresh(root, 'data') })
  await service.ready()
  mkdirSync(folder)
  symlinkSync(service.dataDir, path.join(folder, 'data'))
  const script = commands.join('\n').replaceAll('http://127.0.0.1:8080', service.url)
  const runTour = () => {
    const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
    return stdout.trim()
  }
  // The Idempotency-Key makes a repetition of the tour return the same message.
  expect(await eventually(() => runTour().endsWith('}delivered'))).toBe(true)
})

test('no document contains a command that runs a package that npx would fetch from the registry', () => {
  const lines = documents.flatMap(file =>
    read(file)
      .split('\n')
      .filter(line => /\bnpx (?!--no-install\b)/.test(line))
      .map(line => `${file}: ${line.trim()}`),
  )
  expect(lines).toEqual([])
})

test('links between documents lead somewhere', () => {
  const broken = documents.flatMap(file =>
    [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(match => path.join(path.dirname(file), match[1]!))
      .filter(target => {
        try {
          readdirSync(path.join(checkout, path.dirname(target)))
          return !readdirSync(path.join(checkout, path.dirname(target))).includes(path.basename(target))
        } catch {
          return true
        }
      })
      .map(target => `${file} → ${target}`),
  )
  expect(broken).toEqual([])
})
