/** Settings of the embedded server, for a small service that shares its machine. */
import os from 'node:os'

const mebibyte = 1024 * 1024

/** The container's memory where there is a limit, else the machine's. */
function getAvailableMemory(): number {
  const limit = process.constrainedMemory?.() || Number.POSITIVE_INFINITY
  return Math.min(os.totalmem(), limit)
}

function getSharedBuffers(): string {
  const share = Math.round(getAvailableMemory() / 8 / mebibyte)
  return `${Math.min(1024, Math.max(64, share))}MB`
}

export function getDefaultSettings(): Record<string, string> {
  return {
    shared_buffers: getSharedBuffers(),
    max_connections: '60',
    jit: 'off',
    max_logical_replication_workers: '0',
    random_page_cost: '1.1',
    autovacuum_naptime: '10s',
    idle_in_transaction_session_timeout: '30s',
    fsync: 'on',
    synchronous_commit: 'on',
    wal_level: 'replica',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // No statement, parameter or row value may reach the log.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
  }
}
