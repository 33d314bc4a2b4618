/**
 * Orders the test files of a run: project by project, and the slow files of each first, so that no worker is left with a
 * long file when the others have nothing to do. Vitest alone goes by the size of files that it has not run here before,
 * and a short file may have a long test.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** `idle` mostly waits, so it is done beside the others; the many small files of `shared` fill the end. */
const projects = ['idle', 'browser', 'isolated', 'shared']

/** Slow for their size. */
const slowFiles = [
  // Installs the packages of all tests in test/compat, which wait for it.
  'test/compat/svix.test.ts',
  'test/contract/fuzz.test.ts',
  'test/contract/isolation.test.ts',
  'test/contract/examples.test.ts',
  'src/workflows/simulation/random-scenarios.test.ts',
  'src/workflows/definition/random-definitions.test.ts',
  'src/platform/events/processes.test.ts',
]

/** Returns a number that is smaller for what runs earlier. */
function rank({ project, moduleId }: TestSpecification): number {
  const place = slowFiles.findIndex(file => moduleId.endsWith(`/${file}`))
  return projects.indexOf(project.name) * 100 + (place === -1 ? slowFiles.length : place)
}

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
