/**
 * Finds a Chromium for the browser tests: PARLEY_BROWSER (a path, or `none`), an installed one, the one of an earlier run,
 * or on Debian one that apt downloads into node_modules/.cache without root. Prints each step in one line.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { projectRoot } from '../../../src/platform/project-root.ts'

export interface FoundBrowser {
  executablePath: string
  /** The browser's own sandbox does not start as root, nor from an unpacked package. */
  hasSandbox: boolean
  env?: Record<string, string>
}

const cache = path.join(projectRoot, 'node_modules/.cache/parley-browser')
const installedNames = [
  'chromium-headless-shell',
  'chromium',
  'google-chrome',
  'google-chrome-stable',
  'chromium-browser',
]
const isRoot = process.getuid?.() === 0
const report = (line: string) => console.log(`browser: ${line}`)

export function findBrowser(): FoundBrowser | undefined {
  const chosen = process.env.PARLEY_BROWSER
  if (chosen === 'none') return void report('PARLEY_BROWSER=none')
  if (chosen) {
    report(`PARLEY_BROWSER=${chosen}`)
    return existsSync(chosen) ? { executablePath: chosen, hasSandbox: !isRoot } : undefined
  }
  const installed = findInstalled() ?? findPlaywrightBrowser()
  if (installed) {
    report(installed)
    return { executablePath: installed, hasSandbox: !isRoot }
  }
  return findUnpacked() ?? downloadWithApt()
}

function findInstalled(): string | undefined {
  for (const name of installedNames) {
    const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
    const file = stdout.trim()
    // Ubuntu's chromium-browser is a script that installs a snap.
    if (status === 0 && !(name === 'chromium-browser' && isSnapStub(file))) return file
  }
  return undefined
}

function isSnapStub(file: string): boolean {
  return readFileSync(file).subarray(0, 4096).includes('snap')
}

function findPlaywrightBrowser(): string | undefined {
  const folder = process.env.PLAYWRIGHT_BROWSERS_PATH ?? path.join(os.homedir(), '.cache/ms-playwright')
  if (!existsSync(folder)) return undefined
  const name = /^chrome(-headless-shell|_headless_shell|)$|^headless_shell$/
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && name.test(entry.name))
    .map(entry => path.join(entry.parentPath, entry.name))[0]
}

const unpackedFolder = path.join(cache, 'root')

function findUnpacked(): FoundBrowser | undefined {
  const executablePath = path.join(unpackedFolder, 'usr/bin/chromium-headless-shell')
  const real = path.join(unpackedFolder, 'usr/lib/chromium/chromium-headless-shell')
  const file = [real, executablePath].find(existsSync)
  if (!file) return undefined
  report(file)
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
  const libraries = [`usr/lib/${triplet}`, `usr/lib/${triplet}/pulseaudio`, `lib/${triplet}`]
  return {
    executablePath: file,
    hasSandbox: false,
    env: {
      LD_LIBRARY_PATH: libraries.map(folder => path.join(unpackedFolder, folder)).join(':'),
      FONTCONFIG_FILE: path.join(cache, 'fonts.conf'),
    },
  }
}

/** Downloads and unpacks Debian's packages into the cache: needs neither root nor an installation. */
function downloadWithApt(): FoundBrowser | undefined {
  if (spawnSync('sh', ['-c', 'command -v apt-get && command -v dpkg-deb']).status !== 0)
    return void report('none installed')
  report('none installed; downloading chromium-headless-shell with apt')
  const folders = { lists: path.join(cache, 'lists'), archives: path.join(cache, 'apt') }
  for (const folder of Object.values(folders)) mkdirSync(path.join(folder, 'partial'), { recursive: true })
  mkdirSync(path.join(folders.archives, 'archives/partial'), { recursive: true })
  const options = [
    ...['-o', `Dir::State::lists=${folders.lists}`, '-o', `Dir::Cache=${folders.archives}`],
    ...['-o', 'Debug::NoLocking=1', '-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=15', '-q'],
  ]
  const packages = ['chromium-headless-shell', 'fonts-liberation']
  try {
    execFileSync('apt-get', [...options, 'update'], { stdio: 'ignore', timeout: 120_000 })
    const install = ['install', '-y', '--download-only', '--no-install-recommends', ...packages]
    execFileSync('apt-get', [...options, ...install], { stdio: 'ignore', timeout: 600_000 })
    const archives = path.join(folders.archives, 'archives')
    for (const name of readdirSync(archives).filter(file => file.endsWith('.deb')))
      execFileSync('dpkg-deb', ['-x', path.join(archives, name), unpackedFolder])
    const fonts = path.join(unpackedFolder, 'usr/share/fonts')
    const settings = `<fontconfig><dir>${fonts}</dir><cachedir>${cache}/fonts</cachedir></fontconfig>`
    writeFileSync(path.join(cache, 'fonts.conf'), `<?xml version="1.0"?>\n${settings}\n`)
    return findUnpacked()
  } catch (error) {
    rmSync(cache, { recursive: true, force: true })
    return void report(`download failed: ${String(error).split('\n')[0]}`)
  }
}
