/** Structured logs on standard output. Secrets are cut by path here, and never passed in to begin with. */
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

// PostgreSQL's words about the row that failed: they repeat what is in it.
const rowPaths = ['err.detail', 'err.where', 'err.cause.detail', 'err.cause.where']

export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: undefined,
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
