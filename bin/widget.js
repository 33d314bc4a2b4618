// Builds the web chat widget into dist/widget: the loader that pages embed, as a script and as a module, and the program
// of the frame.
import path from 'node:path'
import { build } from 'esbuild'
import { browserOptions, findOutput, publish } from './assets.js'

const script = 'widget/loader/script.ts'
const module = 'widget/loader/module.ts'
const frame = 'widget/frame/main.tsx'
const demo = 'widget/demo/demo.ts'

/** Returns esbuild's metafile. */
export function buildWidget(root, dist) {
  const bundle = outdir => bundleWidget(root, outdir)
  return publish({ dist, part: 'widget', bundle, describe })
}

async function bundleWidget(root, outdir) {
  const options = {
    ...browserOptions,
    absWorkingDir: root,
    outdir,
    entryNames: '[name]-[hash]',
    charset: 'utf8',
  }
  const parts = await Promise.all([
    // A script of the page leaves no names behind.
    build({ ...options, entryPoints: [script], format: 'iife' }),
    build({ ...options, entryPoints: [module], format: 'esm' }),
    build({
      ...options,
      entryPoints: [frame, demo],
      format: 'esm',
      splitting: true,
      chunkNames: 'part-[hash]',
      jsxImportSource: 'preact',
    }),
  ])
  return {
    inputs: Object.assign({}, ...parts.map(({ metafile }) => metafile.inputs)),
    outputs: Object.assign({}, ...parts.map(({ metafile }) => metafile.outputs)),
  }
}

/** Lists the files that pages load. */
function describe(metafile) {
  const toFiles = entry => {
    const { name, cssBundle } = findOutput(metafile, entry)
    return { script: name, style: path.basename(cssBundle) }
  }
  return {
    loader: findOutput(metafile, script).name,
    module: findOutput(metafile, module).name,
    frame: toFiles(frame),
    demo: toFiles(demo),
  }
}
