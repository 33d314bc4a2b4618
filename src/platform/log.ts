/** Structured logs on standard output. Secrets must not be passed in; known paths are redacted in addition. */
import pino, { type DestinationStream, type Logger } from 'pino'

export type { Logger }

const secretPaths = [
  'password',
  'token',
  'key',
  'secret',
  'authorization',
  'accessToken',
  'refreshToken',
  'plaintextKey',
  'authToken',
  'cookie',
]

// PostgreSQL error details that contain values of the failed row.
const rowPaths = ['err.detail', 'err.where', 'err.cause.detail', 'err.cause.where']

export interface LogOptions {
  /** The roles of the process, on each line. */
  roles?: string
  destination?: DestinationStream
}

export function createLog(level: string, { roles, destination }: LogOptions = {}): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid, roles },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [...secretPaths.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), ...rowPaths],
        censor: '[secret]',
      },
      formatters: { level: label => ({ level: label }) },
    },
    destination ?? pino.destination({ fd: 1, sync: false }),
  )
}
