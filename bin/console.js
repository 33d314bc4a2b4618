// Builds the web console into dist/console.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { browserOptions, findOutput, publish } from './assets.js'

const entries = ['console/main.tsx', 'console/icon.svg']

/** Modules that the builder loads when it is used. */
const builderPanels = /^console\/builder\/(canvas|fields|runs|simulate|versions)\//

/** Returns what has run when the part is loaded. */
const listBefore = part => [
  entries[0],
  ...(builderPanels.test(part) ? ['console/builder/builder-page.tsx'] : []),
]

/**
 * Lets each part that loads later import what has run before. Otherwise esbuild would cut the start into a file for each
 * set of parts that use some of it: forty requests, and more bytes.
 */
const wholeStart = {
  name: 'whole-start',
  setup({ initialOptions: { absWorkingDir: root }, onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, resolveDir, path: part }) =>
      kind === 'dynamic-import'
        ? { path: path.relative(root, path.join(resolveDir, part)), namespace: 'part' }
        : undefined,
    )
    onLoad({ filter: /./, namespace: 'part' }, ({ path: part }) => ({
      contents: `${listBefore(part)
        .map(file => `import './${file}'`)
        .join('\n')}\nexport * from './${part}'`,
      resolveDir: root,
    }))
  },
}

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
    plugins: [wholeStart],
    format: 'esm',
    loader: { '.svg': 'copy' },
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
  })
  // Nothing loads the stylesheets of parts: that of the entry contains them.
  const { cssBundle } = findOutput(metafile, entries[0])
  for (const file of Object.keys(metafile.outputs))
    if (file.endsWith('.css') && file !== cssBundle) rmSync(path.join(root, file))
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
