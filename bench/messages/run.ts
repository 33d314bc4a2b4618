/** Runs a file of this folder in a process of its own; it prints one line of JSON. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

export async function run<T>(file: string, args: (string | number)[]): Promise<T> {
  const program = path.join(import.meta.dirname, file)
  const all = ['--import', 'tsx', program, ...args.map(String)]
  const { stdout } = await promisify(execFile)(process.execPath, all, { maxBuffer: 1 << 24 })
  return JSON.parse(stdout) as T
}

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

export const share = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!
