// Builds the web console into dist/console: files with a hash of their content in the name, compressed copies beside
// them, and manifest.json. A tab that was opened before an upgrade still loads its chunks for a day.
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

const entries = ['console/main.tsx', 'console/icon.svg']
const dayMs = 86_400_000

/** Whether the sources and the packages of the console are installed; an image may leave both out. */
export function canBuildConsole(root) {
  const manifest = path.join(root, 'console/package.json')
  if (!existsSync(manifest)) return false
  try {
    createRequire(manifest).resolve('react-dom/package.json')
    return true
  } catch {
    return false
  }
}

/** Builds in a temporary directory and moves the files into place, the manifest last. Returns esbuild's metafile. */
export async function buildConsole(root, dist) {
  const folder = path.join(dist, 'console')
  mkdirSync(folder, { recursive: true })
  const draft = mkdtempSync(path.join(dist, '.console-'))
  try {
    const { metafile } = await bundleConsole(root, draft)
    const manifest = toManifest(metafile, draft)
    manifest.files.forEach(name => {
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

async function bundleConsole(root, outdir) {
  const { build } = await import('esbuild')
  return build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    platform: 'browser',
    format: 'esm',
    target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
    jsx: 'automatic',
    loader: { '.svg': 'copy' },
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'error',
  })
}

/** Lists the files that the page loads. `build` changes whenever one of them does. */
function toManifest({ outputs }, outdir) {
  const files = readdirSync(outdir).sort()
  const find = entry => Object.entries(outputs).find(([, output]) => output.entryPoint === entry)
  const [, main] = find(entries[0])
  const name = file => path.basename(file)
  const content = createHash('sha256')
  for (const file of files) content.update(`${file}\0`).update(readFileSync(path.join(outdir, file)))
  return {
    build: content.digest('hex').slice(0, 12),
    script: name(find(entries[0])[0]),
    style: name(main.cssBundle),
    icon: files.find(file => file.startsWith('icon-')),
    preload: main.imports
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path: file }) => name(file)),
    files,
  }
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
