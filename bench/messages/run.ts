/** Runs a file of this folder as a separate process and parses the JSON that it prints. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

export async function run<T>(file: string, args: (string | number)[]): Promise<T> {
  const program = path.join(import.meta.dirname, file)
  const all = ['--import', 'tsx', program, ...args.map(String)]
  const { stdout } = await promisify(execFile)(process.execPath, all, { maxBuffer: 1 << 24 })
  return JSON.parse(stdout) as T
}
