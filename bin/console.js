// Builds the web console into dist/console.
import path from 'node:path'
import { build } from 'esbuild'
import { browserOptions, findOutput, publish } from './assets.js'

const entries = ['console/main.tsx', 'console/icon.svg']

/** Returns esbuild's metafile. */
export function buildConsole(root, dist) {
  const bundle = outdir => bundleConsole(root, outdir)
  return publish({ dist, part: 'console', bundle, describe })
}

async function bundleConsole(root, outdir) {
  const { metafile } = await build({
    ...browserOptions,
    absWorkingDir: root,
    entryPoints: entries,
    outdir,
    splitting: true,
    format: 'esm',
    loader: { '.svg': 'copy' },
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
  })
  return metafile
}

/** Lists the files that the page loads. */
function describe(metafile, files) {
  const main = findOutput(metafile, entries[0])
  return {
    script: main.name,
    style: path.basename(main.cssBundle),
    icon: files.find(file => file.startsWith('icon-')),
    preload: main.imports
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path: file }) => path.basename(file)),
  }
}
