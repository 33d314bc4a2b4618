/** Reports failures of commands: those that an operator can fix in one line without a stack; exit code 1. */
import { ConfigError } from '../platform/config.ts'
import { EmbeddedError } from '../platform/db/embedded/error.ts'
import { MigrationError } from '../platform/db/migrate.ts'
import { isDatabaseUnavailable } from '../platform/db/unavailable.ts'
import { Problem } from '../platform/errors.ts'

export class CliError extends Error {}

type SystemError = Error & { code?: string; path?: string }

const fileErrors = /^E(ACCES|PERM|ROFS|NOTDIR|ISDIR|EXIST|NOENT|NOSPC|DQUOT|IO|NAMETOOLONG|LOOP)$/
const permissionDenied = '42501'
const tlsErrors = /CERT|TLS|SSL|EPROTO/

export function explainFailure(error: unknown): string | undefined {
  const expected = [CliError, ConfigError, EmbeddedError, MigrationError, Problem]
  if (expected.some(type => error instanceof type)) return (error as Error).message
  if (!(error instanceof Error)) return undefined
  const { code = '', path, message } = error as SystemError
  if (/^E[MN]FILE$/.test(code)) return 'too many files are open: raise the limit (ulimit -n)'
  if (fileErrors.test(code) && path)
    return `${path} is not usable (${code}): ${
      code === 'ENOSPC' ? 'free some space on the disk' : 'check that this user can write there'
    }, or set DATA_DIR to another directory`
  const unreachable =
    isDatabaseUnavailable(error) ||
    code === permissionDenied ||
    tlsErrors.test(code) ||
    /\bSSL\b/.test(message)
  if (unreachable) return `the database is not usable: ${message || code}. ${databaseHint()}`
  return undefined
}

function databaseHint(): string {
  const setting = ['DATABASE_URL', 'DATABASE_CELLS'].find(name => process.env[name])
  return setting ? `Check ${setting}` : 'See postgres.log in the data directory'
}

/** Runs a command. Prints an expected failure in one line, an unexpected one with its stack. */
export async function run(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const line = explainFailure(error)
    process.stderr.write(
      line === undefined ? `${error instanceof Error ? error.stack : error}\n` : `parley: ${line}\n`,
    )
    process.exit(1)
  }
}
