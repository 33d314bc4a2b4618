/** Child process of crash tests: starts a sandbox in the given directory and prints its URL. */
import { systemClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import { startSandbox } from '../sandbox.ts'
import { testOptions } from './sandbox.ts'

const sandbox = await startSandbox({
  ...testOptions(process.argv[2] ?? ''),
  clock: systemClock,
  log: createLog('fatal'),
})
process.stdout.write(`${sandbox.url}\n`)
