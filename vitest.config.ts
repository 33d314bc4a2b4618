import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Measures the idle service: runs after all other tests, with the machine to itself. */
const serial = ['test/system/idle.test.ts']
/** Tests in a real browser; see test/browser/find-browser.ts. */
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
    // Most runs repeat the transformation of unchanged files.
    experimental: { fsModuleCache: true },
    // Tests wait more than they compute.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'console/**/*.test.ts'],
          exclude: [...serial, ...isolated, ...browser, '**/node_modules/**'],
          // Loading the program is most of the cost of a small file, so files share one module graph.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: isolated,
          exclude: [...serial, '**/node_modules/**'],
          globalSetup: ['test/system/global-setup.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'serial', include: serial, sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: browser,
          globalSetup: ['test/browser/global-setup.ts'],
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
