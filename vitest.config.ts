import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SlowFirst } from './test/harness/slow-first.ts'

/**
 * Measures the start and the CPU time of the idle service, scaled by the slowdown of the machine. It waits for a minute, so
 * it begins first, beside the browser tests, which leave more of the machine than the others.
 */
const idle = ['test/system/idle.test.ts']
/** Tests in a real browser; see test/browser/support/find-browser.ts. */
const browser = ['test/browser/**/*.test.ts']
/** Tests that start and kill processes or change their own process: each file gets its own module graph. */
const isolated = [
  'test/{system,chaos,compat}/**/*.test.ts',
  'src/**/crash.test.ts',
  'src/contacts/import/large.test.ts',
  'src/platform/{db,outbound}/**/*.test.ts',
]

export default defineConfig({
  test: {
    globalSetup: ['test/harness/global-setup.ts'],
    // Long limits delay only failures, and machines differ by a factor of ten.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // A test that passes only on the second try has found a bug.
    retry: 0,
    ...(process.env.REPEAT ? { runner: './test/harness/repeating-runner.ts' } : {}),
    // Most runs repeat the transformation of unchanged files.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: SlowFirst },
    // Tests wait more than they compute.
    maxWorkers: availableParallelism() + 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', '{console,widget}/**/*.test.ts'],
          exclude: [...idle, ...isolated, ...browser, '**/node_modules/**'],
          // Loading the program is most of the cost of a small file, so files share one module graph.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: isolated,
          exclude: [...idle, '**/node_modules/**'],
          globalSetup: ['test/system/global-setup.ts'],
        },
      },
      { extends: true, test: { name: 'idle', include: idle } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: browser,
          globalSetup: ['test/browser/support/global-setup.ts'],
          isolate: false,
        },
      },
    ],
  },
})
