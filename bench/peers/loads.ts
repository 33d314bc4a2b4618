/** Loads a server from another process and returns the result. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

export interface Load {
  url: string
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  connections: number
  from: number
  /** Set either `count` or `seconds`. */
  count?: number
  seconds?: number
}

export interface LoadResult {
  count: number
  /** Time of the first request in ms since 1970, because the process needs time to start. */
  beganAt: number
  rate: number
  p50: number
  p99: number
}

export async function put(load: Load): Promise<LoadResult> {
  const args = ['--import', 'tsx', path.join(import.meta.dirname, 'load.ts'), JSON.stringify(load)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 24 })
  return JSON.parse(stdout) as LoadResult
}
