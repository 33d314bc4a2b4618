/** An error of the embedded server: one line that says what to do. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError'
}

const externalServerHint = 'or set DATABASE_URL to a PostgreSQL server of your own'

export function embeddedError(problem: string, remedy: string, cause?: unknown): EmbeddedError {
  const text = `${problem}: ${remedy}, ${externalServerHint}`.replace(/\s*\n\s*/g, ' ')
  return new EmbeddedError(text, cause === undefined ? undefined : { cause })
}

export function getErrorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? ''
}

/** Turns a file system error about the data directory into one line; returns an EmbeddedError unchanged. */
export function toEmbeddedError(error: unknown, dataDir: string): EmbeddedError {
  if (error instanceof EmbeddedError) return error
  const reason = error instanceof Error ? error.message : String(error)
  const remedy =
    getErrorCode(error) === 'ENOSPC'
      ? 'free some space on the disk, point DATA_DIR to another directory'
      : 'let this user write there, point DATA_DIR to another directory'
  return embeddedError(`cannot use the data directory ${dataDir} (${reason})`, remedy, error)
}
