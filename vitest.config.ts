import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** What measures the service at rest needs the machine to itself: it comes when everything else is over. */
const alone = ['test/system/idle.test.ts']
/** What starts and kills processes, or changes the one it runs in, shares no module with another file. */
const apart = [
  'test/system/**/*.test.ts',
  'test/chaos/**/*.test.ts',
  'test/compat/**/*.test.ts',
  'test/system/deploy.test.ts',
  'test/chaos/lost-and-doubled.test.ts',
  'src/**/crash.test.ts',
  'src/contacts/import/large.test.ts',
  'src/platform/db/**/*.test.ts',
  'src/platform/outbound/**/*.test.ts',
]

export default defineConfig({
  test: {
    globalSetup: ['test/harness/global-setup.ts'],
    // Patience costs nothing where things work, and machines differ by a factor of ten.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // A test that passes only the second time has found a fault.
    retry: 0,
    // Those that start processes keep more than one core busy each.
    maxWorkers: availableParallelism(),
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...alone, ...apart, '**/node_modules/**'],
          // The program is loaded once for many files: that is most of what a small file costs.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: apart,
          exclude: [...alone, '**/node_modules/**'],
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'alone', include: alone, sequence: { groupOrder: 1 } } },
    ],
  },
})
