/** Runs every test REPEAT times more after its first success: a test must leave behind nothing that the next run meets. */
import { type RunnerTask, TestRunner } from 'vitest'

function repeat(task: RunnerTask, times: number): void {
  if (task.type === 'test') task.repeats = times
  else for (const child of task.tasks) repeat(child, times)
}

// biome-ignore lint/style/noDefaultExport: vitest loads the default export of a runner
export default class RepeatingRunner extends TestRunner {
  onCollected(files: RunnerTask[]): void {
    for (const file of files) repeat(file, Number(process.env.REPEAT))
  }
}
