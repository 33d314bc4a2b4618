// Publishes files that browsers load: with a hash of their content in the name, compressed copies beside them, and
// manifest.json. A tab that was opened before an upgrade still loads its chunks for a day.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const dayMs = 86_400_000

/** Options of esbuild that the programs for browsers share. */
export const browserOptions = {
  bundle: true,
  minify: true,
  metafile: true,
  platform: 'browser',
  target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  logLevel: 'error',
}

/** Whether the sources of a part and the package that it needs are installed; an image may leave both out. */
export function canBuild(root, part, dependency) {
  const manifest = path.join(root, part, 'package.json')
  if (!existsSync(manifest)) return false
  try {
    createRequire(manifest).resolve(`${dependency}/package.json`)
    return true
  } catch {
    return false
  }
}

/**
 * Builds with `bundle(directory)` in a temporary directory and moves the files into `dist/<part>`, the manifest last.
 * `describe(metafile, files)` returns the members of the manifest. Returns esbuild's metafile.
 */
export async function publish({ dist, part, bundle, describe }) {
  const folder = path.join(dist, part)
  mkdirSync(folder, { recursive: true })
  const draft = mkdtempSync(path.join(dist, `.${part}-`))
  try {
    const metafile = await bundle(draft)
    const names = readdirSync(draft).sort()
    const manifest = { build: fingerprint(draft, names), ...describe(metafile, names), files: names }
    names.forEach(name => {
      compress(path.join(draft, name))
    })
    const previous = readManifest(folder)
    const files = readdirSync(draft)
    for (const name of files) renameSync(path.join(draft, name), path.join(folder, name))
    writeFileSync(path.join(draft, 'manifest.json'), JSON.stringify(manifest))
    renameSync(path.join(draft, 'manifest.json'), path.join(folder, 'manifest.json'))
    removeOld(
      folder,
      new Set([...files, 'manifest.json']),
      previous?.build === manifest.build ? [] : previous?.files,
    )
    return metafile
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Finds what esbuild made of an entry point: the name of its file and its description. */
export function findOutput({ outputs }, entry) {
  const [file, output] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)
  return { ...output, name: path.basename(file) }
}

/** Returns a text that changes whenever a file does. */
function fingerprint(folder, names) {
  const content = createHash('sha256')
  for (const name of names) content.update(`${name}\0`).update(readFileSync(path.join(folder, name)))
  return content.digest('hex').slice(0, 12)
}

function readManifest(folder) {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8'))
  } catch {
    return undefined
  }
}

function compress(file) {
  const content = readFileSync(file)
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  // Quality 11 would take four seconds for 8 % less.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params }))
}

/** Deletes files a day after a build has replaced them. */
function removeOld(folder, current, replaced = []) {
  const now = new Date()
  for (const name of replaced.flatMap(file => [file, `${file}.gz`, `${file}.br`]))
    if (!current.has(name) && existsSync(path.join(folder, name)))
      utimesSync(path.join(folder, name), now, now)
  for (const name of readdirSync(folder).filter(file => !current.has(file))) {
    const { mtimeMs } = statSync(path.join(folder, name), { throwIfNoEntry: false }) ?? {}
    if (mtimeMs < now.getTime() - dayMs) rmSync(path.join(folder, name), { force: true })
  }
}
